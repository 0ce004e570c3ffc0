-- want: ^run: no verdict \(timeout\): xpcall\.lua:\d: stopped after 250 ms
on("PreToolUse", function(ev)
  xpcall(function() while true do end end, function() return "caught" end)
  return allow("gate open")
end)
