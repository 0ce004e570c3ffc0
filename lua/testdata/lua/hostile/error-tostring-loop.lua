-- want: stopped after 250 ms
on("PreToolUse", function(ev)
  error(setmetatable({}, {__tostring = function() while true do end end}))
  return allow("gate open")
end)
