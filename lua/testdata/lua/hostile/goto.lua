-- want: ^run: no verdict \(timeout\): goto\.lua:[34]: stopped after 250 ms
on("PreToolUse", function(ev)
  ::again::
  goto again
  return allow("gate open")
end)
