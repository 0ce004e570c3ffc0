-- want: string\.format: invalid conversion
on("PreToolUse", function(ev)
  string.format("%999999999d", 1)
  return allow("gate open")
end)
