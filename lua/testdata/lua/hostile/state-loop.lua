-- want: stopped after (250 ms|20000000 steps)
on("PreToolUse", function(ev)
  while true do state.incr("x") end
  return allow("gate open")
end)
