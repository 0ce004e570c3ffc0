-- want: stopped at 200 nested calls \(stack overflow\)
on("PreToolUse", function(ev)
  local t = setmetatable({}, {})
  getmetatable(t).__tostring = function(t) return tostring(t) end
  tostring(t)
  return allow("gate open")
end)
