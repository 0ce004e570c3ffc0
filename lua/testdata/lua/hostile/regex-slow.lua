-- want: stopped after (250 ms|20000000 steps) in re\.test
on("PreToolUse", function(ev)
  re.test("(x+x+)+(x+x+)+(.*){10,40}y$", string.rep("x", 8e6))
  return allow("gate open")
end)
