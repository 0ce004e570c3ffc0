-- want: error-tostring\.lua:\d: error object
on("PreToolUse", function(ev)
  error(setmetatable({}, {__tostring = function() error("x") end}))
  return allow("gate open")
end)
