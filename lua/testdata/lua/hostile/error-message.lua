-- want: error-message\.lua:\d: it broke
on("PreToolUse", function(ev)
  error({message = "it broke"})
  return allow("gate open")
end)
