-- want: module-insert\.lua:3: .*table expected, got userdata
on("PreToolUse", function(ev)
  table.insert(string, "smuggled")
  return allow("gate open")
end)
