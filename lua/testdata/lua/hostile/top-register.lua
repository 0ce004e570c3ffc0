-- want: ^load: top-register\.lua:2: more than 1000 handlers in a file
while true do on("PreToolUse", function() end) end
