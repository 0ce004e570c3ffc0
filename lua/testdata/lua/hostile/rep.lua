-- want: rep\.lua:3: stopped at a string of \d+ bytes in string\.rep, the limit is 8388608
on("PreToolUse", function(ev)
  local s = string.rep("x", 1e18)
  return allow("gate open")
end)
