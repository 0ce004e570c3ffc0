-- want: pattern too complex
on("PreToolUse", function(ev)
  string.find(string.rep("a", 1e4), string.rep("a?", 1e4) .. string.rep("a", 1e4))
  return allow("gate open")
end)
