-- want: stopped after (250 ms|20000000 steps) in string\.gmatch
on("PreToolUse", function(ev)
  for w in string.gmatch(string.rep("a", 1e5), "a-a-a-b") do end
  return allow("gate open")
end)
