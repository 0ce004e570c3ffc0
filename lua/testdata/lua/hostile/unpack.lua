-- want: unpack\.lua:3: unpack: more than 4000 values
on("PreToolUse", function(ev)
  unpack({}, 1, 1e7)
  return allow("gate open")
end)
