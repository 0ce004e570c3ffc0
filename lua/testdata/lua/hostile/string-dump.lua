-- want: string-dump\.lua:3: attempt to call a non-function object
on("PreToolUse", function(ev)
  string.dump(function() end)
  return allow("gate open")
end)
