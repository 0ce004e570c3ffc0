package hook

// Nearest returns the candidate that is most likely meant by a misspelt
// word: the one of least edit distance, letter case counting little, if it
// is near enough; else "".
func Nearest(word string, candidates []string) string {
	best, bestCost := "", 2*(len(word)/3+1)+1
	for _, c := range candidates {
		if d := editCost(word, c, bestCost); d < bestCost {
			best, bestCost = c, d
		}
	}
	return best
}

// editCost is the edit distance of a and b in half steps: a change of letter
// case, or of _ and -, costs one half, anything else two. It gives up at limit.
func editCost(a, b string, limit int) int {
	if len(a) > 64 || len(b) > 64 {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = 2 * j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = 2 * i
		least := row[0]
		for j := 1; j <= len(b); j++ {
			cost := min(row[j], row[j-1]) + 2
			cost = min(cost, diag+letterCost(a[i-1], b[j-1]))
			diag, row[j] = row[j], cost
			least = min(least, cost)
		}
		if least >= limit {
			return limit
		}
	}
	return row[len(b)]
}

func letterCost(x, y byte) int {
	switch {
	case x == y:
		return 0
	case x|0x20 == y|0x20 && x|0x20 >= 'a' && x|0x20 <= 'z', (x == '_' || x == '-') && (y == '_' || y == '-'):
		return 1
	}
	return 2
}
