-- want: table-gap\.lua:4: stopped after 64 MiB of memory
on("PreToolUse", function(ev)
  local t = {}
  t[67108863] = 1
  return allow("gate open")
end)
