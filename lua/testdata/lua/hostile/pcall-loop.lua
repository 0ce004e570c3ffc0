-- want: ^run: no verdict \(timeout\): pcall-loop\.lua:\d: stopped after 250 ms
on("PreToolUse", function(ev)
  local function f() while true do end end
  while true do pcall(f) end
  return allow("gate open")
end)
