-- want: no verdict \(answer\): wrong-string\.lua:2: a handler returned a string: return deny
on("PreToolUse", function(ev)
  if true then return "deny" end
  return allow("gate open")
end)
