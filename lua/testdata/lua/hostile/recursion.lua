-- want: recursion\.lua:3: stopped at 200 nested calls \(stack overflow\)
on("PreToolUse", function(ev)
  local function f() return 1 + f() end
  f()
  return allow("gate open")
end)
