-- want: ^run: no verdict \(timeout\): loop\.lua:3: stopped after 250 ms
on("PreToolUse", function(ev)
  while true do end
  return allow("gate open")
end)
