-- want: error-huge\.lua:3: xxxx
on("PreToolUse", function(ev)
  error(string.rep("x", 8e6))
  return allow("gate open")
end)
