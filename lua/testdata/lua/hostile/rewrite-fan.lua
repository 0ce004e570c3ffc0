-- want: stopped (after 64 MiB of memory|after 250 ms|at a string|after 20000000 steps)
on("PreToolUse", function(ev)
  local t = {x = 1}
  for i = 1, 60 do t = {a = t, b = t} end
  if t then return rewrite(t) end
  return allow("gate open")
end)
