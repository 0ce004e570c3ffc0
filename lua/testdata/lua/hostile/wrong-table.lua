-- want: a handler returned a table with the key 'decision'
on("PreToolUse", function(ev)
  if true then return {decision = "allow"} end
  return allow("gate open")
end)
