-- want: stopped after 64 MiB of memory
on("PreToolUse", function(ev)
  local t = setmetatable({}, {__newindex = {}})
  t[67108863] = 1
  return allow("gate open")
end)
