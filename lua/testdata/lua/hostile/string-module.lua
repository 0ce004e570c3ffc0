-- want: string-module\.lua:3: attempt to set field 'find' of a module
on("PreToolUse", function(ev)
  string.find = function() return 1 end
  return allow("gate open")
end)
