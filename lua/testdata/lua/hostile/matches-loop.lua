-- want: stopped after (250 ms|64 MiB of memory)
on("PreToolUse", function(ev)
  local i = 0
  while true do i = i + 1; ev:matches("p" .. i) end
  return allow("gate open")
end)
