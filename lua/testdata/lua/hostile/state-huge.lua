-- want: state\.set: a value of 1000002 bytes, the limit is 65536
on("PreToolUse", function(ev)
  state.set("x", string.rep("x", 1e6))
  return allow("gate open")
end)
