-- want: glob\.match: more than 5 braces or 32 alternatives
on("PreToolUse", function(ev)
  glob.match(string.rep("{a,b}", 30), string.rep("a", 30) .. "c")
  return allow("gate open")
end)
