-- want: attempt to index a non-table object\(nil\) with key 'create'
on("PreToolUse", function(ev)
  local co = coroutine.create(function() while true do end end)
  coroutine.resume(co)
  return allow("gate open")
end)
