-- want: too many recursions in gettable
on("PreToolUse", function(ev)
  local a, b = {}, {}
  setmetatable(a, {__index = b})
  setmetatable(b, {__index = a})
  local x = a.x
  return allow("gate open")
end)
