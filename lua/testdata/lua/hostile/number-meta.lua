-- want: number-meta\.lua:3: .*table expected, got number
on("PreToolUse", function(ev)
  setmetatable(1, {__index = function() return 1 end})
  return allow("gate open")
end)
