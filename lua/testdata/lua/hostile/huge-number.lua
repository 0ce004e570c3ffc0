-- want: ^load: huge-number\.lua:2: malformed number
x = 3e99999
