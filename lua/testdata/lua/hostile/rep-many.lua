-- want: rep-many\.lua:4: stopped after 64 MiB of memory
on("PreToolUse", function(ev)
  local t = {}
  for i = 1, 1e6 do t[i] = string.rep("x", 1e6) end
  return allow("gate open")
end)
