-- want: on-late\.lua:3: on: only while a policy file is loaded
on("PreToolUse", function(ev)
  on("PreToolUse", function() return allow() end)
  return allow("gate open")
end)
