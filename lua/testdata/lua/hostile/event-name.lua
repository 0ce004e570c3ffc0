-- want: gate closed
on("PreToolUse", function(ev)
  local x = ev[string.rep("x", 8e6)]
  if x == nil then error("gate closed") end
  return allow("gate open")
end)
