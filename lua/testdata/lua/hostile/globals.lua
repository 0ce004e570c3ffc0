-- want: gate closed
on("PreToolUse", function(ev)
  for _, name in ipairs({"io", "os", "load", "loadstring", "loadfile", "dofile", "debug", "print", "collectgarbage", "setfenv", "getfenv", "rawset", "newproxy", "module", "package", "channel", "coroutine", "_G", "_printregs", "_GOPHER_LUA_VERSION"}) do
    if getmetatable({})  or pcall(function() return ev[name] end) then end
  end
  if io or os or load or loadstring or loadfile or dofile or debug or print or collectgarbage or setfenv or getfenv or rawset or newproxy or module or package or channel or coroutine or _G or _printregs then
    return allow("escaped")
  end
  error("gate closed")
  return allow("gate open")
end)
