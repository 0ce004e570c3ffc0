-- want: stopped after 250 ms|64 MiB
on("PreToolUse", function(ev)
  while true do log.info(string.rep("x", 1000)) end
  return allow("gate open")
end)
