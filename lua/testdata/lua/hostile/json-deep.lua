-- want: json\.decode: nested deeper than 200
on("PreToolUse", function(ev)
  json.decode(string.rep("[", 1e6))
  return allow("gate open")
end)
