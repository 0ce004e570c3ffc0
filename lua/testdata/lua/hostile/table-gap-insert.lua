-- want: stopped after 64 MiB of memory
on("PreToolUse", function(ev)
  table.insert({}, 67108863, 1)
  return allow("gate open")
end)
