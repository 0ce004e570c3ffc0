-- want: ^load: top-register\.lua:2: stopped after (64 MiB of memory|1s)
while true do on("PreToolUse", function() end) end
