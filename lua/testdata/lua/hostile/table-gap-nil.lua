-- want: gate closed
on("PreToolUse", function(ev)
  local t = setmetatable({}, {})
  t[67108863] = nil
  if #t == 0 then error("gate closed") end
  return allow("gate open")
end)
