-- want: ^load: syntax-end\.lua:3: syntax error at the end of the text
on("PreToolUse", function(ev)
  if ev.tool then
