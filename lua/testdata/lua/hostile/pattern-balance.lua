-- want: stopped after (250 ms|20000000 steps) in string\.find
on("PreToolUse", function(ev)
  string.find(string.rep("(", 1e5), "%b()")
  return allow("gate open")
end)
