-- want: concat-small\.lua:5: stopped after (64 MiB of memory|250 ms)
on("PreToolUse", function(ev)
  local t, s = {}, string.rep("x", 1000)
  local i = 0
  while true do i = i + 1; t[i] = s .. i end
  return allow("gate open")
end)
