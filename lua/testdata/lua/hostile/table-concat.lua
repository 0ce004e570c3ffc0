-- want: stopped at a string of \d+ bytes in table\.concat
on("PreToolUse", function(ev)
  local t, s = {}, string.rep("x", 1e5)
  for i = 1, 1000 do t[i] = s end
  table.concat(t, s)
  return allow("gate open")
end)
