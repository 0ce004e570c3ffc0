-- want: stopped after (64 MiB of memory|250 ms)
on("PreToolUse", function(ev)
  local f
  while true do local g = f; f = function() return g end end
  return allow("gate open")
end)
