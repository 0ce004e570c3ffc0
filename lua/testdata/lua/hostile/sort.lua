-- want: stopped after (250 ms|20000000 steps|64 MiB)
on("PreToolUse", function(ev)
  local t = {}
  for i = 1, 3e5 do t[i] = -i % 7919 end
  while true do table.sort(t, function(a, b) return a < b end) end
  return allow("gate open")
end)
