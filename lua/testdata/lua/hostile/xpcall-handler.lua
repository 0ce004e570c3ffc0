-- want: ^run: no verdict \(timeout\): xpcall-handler\.lua:\d: stopped after 250 ms
on("PreToolUse", function(ev)
  xpcall(error, function() while true do end end)
  return allow("gate open")
end)
