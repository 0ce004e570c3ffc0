-- want: stopped (after 64 MiB of memory|after 250 ms|at a string|after 20000000 steps)
on("PreToolUse", function(ev)
  local t = {1}
  for i = 1, 60 do t = {t, t} end
  json.encode(t)
  return allow("gate open")
end)
