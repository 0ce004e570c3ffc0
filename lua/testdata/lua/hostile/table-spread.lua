-- want: stopped after (64 MiB of memory|250 ms)
on("PreToolUse", function(ev)
  local l, t = {}, nil
  for i = 1, 4000 do l[i] = i end
  while true do t = {t, unpack(l)} end
  return allow("gate open")
end)
