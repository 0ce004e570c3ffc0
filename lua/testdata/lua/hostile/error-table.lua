-- want: error-table\.lua:\d: error object \{code = 1\}
on("PreToolUse", function(ev)
  error({code = 1})
  return allow("gate open")
end)
