-- want: no verdict \(answer\): wrong-true\.lua:2: a handler returned a boolean
on("PreToolUse", function(ev)
  if true then return true end
  return allow("gate open")
end)
