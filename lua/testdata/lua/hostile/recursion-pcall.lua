-- want: error object true
on("PreToolUse", function(ev)
  local function f() return pcall(f) end
  local ok, err = f()
  error(err or "stopped at 200 nested calls")
  return allow("gate open")
end)
