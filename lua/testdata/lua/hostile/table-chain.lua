-- want: stopped after (64 MiB of memory|250 ms)
on("PreToolUse", function(ev)
  local t
  while true do t = {t} end
  return allow("gate open")
end)
