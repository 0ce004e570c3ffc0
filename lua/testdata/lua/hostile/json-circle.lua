-- want: json\.encode: nested deeper than 200, or in a circle
on("PreToolUse", function(ev)
  local t = {}
  t.t = t
  json.encode(t)
  return allow("gate open")
end)
