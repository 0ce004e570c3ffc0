-- want: pattern-method\.lua:3: stopped after (250 ms|20000000 steps) in string\.find
on("PreToolUse", function(ev)
  ("x"):rep(50000):find(".-b")
  return allow("gate open")
end)
