-- want: ^run: no verdict \(timeout\): pcall\.lua:\d: stopped after 250 ms
on("PreToolUse", function(ev)
  local ok = pcall(function() while true do end end)
  if not ok then return allow("swallowed") end
  return allow("gate open")
end)
