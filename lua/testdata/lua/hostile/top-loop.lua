-- want: ^load: top-loop\.lua:2: stopped after 1s
while true do end
