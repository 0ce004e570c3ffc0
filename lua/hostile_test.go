package lua

const hostileFile = "PAWL_HOSTILE_FILE"

func runHostile() int { return 0 }
