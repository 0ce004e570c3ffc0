-- want: gate closed
on("PreToolUse", function(ev)
  setmetatable({}, {__gc = function() while true do end end})
  error("gate closed")
  return allow("gate open")
end)
