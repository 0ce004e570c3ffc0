-- want: stopped after (250 ms|20000000 steps)
on("PreToolUse", function(ev)
  local set = "[" .. string.rep("b", 4e6) .. "]"
  string.find(string.rep("a", 4e6), set .. "c")
  return allow("gate open")
end)
