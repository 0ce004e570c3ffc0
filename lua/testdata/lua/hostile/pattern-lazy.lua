-- want: pattern-lazy\.lua:3: stopped after (250 ms|20000000 steps) in string\.find
on("PreToolUse", function(ev)
  string.find(string.rep("a", 60), ".-.-.-.-.-b")
  return allow("gate open")
end)
