-- want: table-gap-multiple\.lua:4: stopped after 64 MiB of memory
on("PreToolUse", function(ev)
  local t, x = {}, nil
  x, t[67108863] = 1, 2
  return allow("gate open")
end)
