-- want: stopped at a full stack: too many values at once
on("PreToolUse", function(ev)
  local function f(n, ...) if n == 0 then return ... end return f(n - 1, ..., ...) end
  local l = {}
  for i = 1, 4000 do l[i] = i end
  local function g(...) return select("#", ...) end
  local function h(...) return g(1, unpack(l)) + select("#", ...) end
  local function k(n, ...) if n == 0 then return 0 end return k(n - 1, unpack(l)) + 1 end
  k(150)
  return allow("gate open")
end)
