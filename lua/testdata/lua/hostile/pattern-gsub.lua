-- want: stopped after (250 ms|20000000 steps) in string\.gsub
on("PreToolUse", function(ev)
  string.gsub(string.rep("a", 1e5), "a*a*a*b", "")
  return allow("gate open")
end)
