-- want: ^load: syntax\.lua:4:\d+: syntax error near \"end\"
on("PreToolUse", function(ev)
  if ev.tool then
    return deny( end
  end
end)
