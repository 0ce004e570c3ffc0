-- want: stopped after (64 MiB of memory|250 ms)
on("PreToolUse", function(ev)
  local t
  ::again::
  t = {t}
  goto again
  return allow("gate open")
end)
