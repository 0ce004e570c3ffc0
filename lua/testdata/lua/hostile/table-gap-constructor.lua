-- want: table-gap-constructor\.lua:3: stopped after 64 MiB of memory
on("PreToolUse", function(ev)
  local t = {[60000000] = 1}
  return allow("gate open")
end)
