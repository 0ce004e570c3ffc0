-- want: stopped at 200 nested calls \(stack overflow\)
on("PreToolUse", function(ev)
  local t = setmetatable({}, {})
  getmetatable(t).__index = function(t, k) return t[k] end
  local x = t.x
  return allow("gate open")
end)
