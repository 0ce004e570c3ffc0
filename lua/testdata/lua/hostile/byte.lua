-- want: byte\.lua:3: string\.byte: more than 4000 values
on("PreToolUse", function(ev)
  string.rep("x", 1e6):byte(1, -1)
  return allow("gate open")
end)
