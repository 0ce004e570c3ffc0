-- want: newindex-loop\.lua:6: a loop of '__newindex'
on("PreToolUse", function(ev)
  local a, b = {}, {}
  setmetatable(a, {__newindex = b})
  setmetatable(b, {__newindex = a})
  a.x = 1
  return allow("gate open")
end)
