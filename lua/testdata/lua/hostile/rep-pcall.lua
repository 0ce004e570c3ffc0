-- want: rep-pcall\.lua:\d: stopped at a string of 1000000000 bytes in string\.rep
on("PreToolUse", function(ev)
  pcall(string.rep, "x", 1e9)
  return allow("gate open")
end)
