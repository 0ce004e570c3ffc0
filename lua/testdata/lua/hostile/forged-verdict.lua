-- want: a handler returned a (module|table)
on("PreToolUse", function(ev)
  if true then return {json} end
  return allow("gate open")
end)
