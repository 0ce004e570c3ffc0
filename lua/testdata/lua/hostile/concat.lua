-- want: concat\.lua:4: stopped at a string of \d+ bytes in \.\.
on("PreToolUse", function(ev)
  local s = "x"
  while true do s = s .. s end
  return allow("gate open")
end)
