-- want: table-grow\.lua:5: stopped after (64 MiB of memory|250 ms)
on("PreToolUse", function(ev)
  local t = {}
  local i = 0
  while true do i = i + 1; t[i] = i end
  return allow("gate open")
end)
