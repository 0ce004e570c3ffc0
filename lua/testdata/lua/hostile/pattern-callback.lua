-- want: stopped after 250 ms
on("PreToolUse", function(ev)
  string.gsub(string.rep("a", 1e6), "a", function() local n = 0 for i = 1, 1e3 do n = n + i end end)
  return allow("gate open")
end)
