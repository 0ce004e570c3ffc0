-- want: this ev is over
on("PreToolUse", function(ev)
  if old then error("never") end
  old = ev
  local ok, err = pcall(function() return kept.tool end)
  error("this ev is over")
  return allow("gate open")
end)
