-- want: attempt to (index|set)
on("PreToolUse", function(ev)
  getmetatable("").__index = {}
  return allow("gate open")
end)
