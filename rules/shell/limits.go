package shell

const (
	maxText     = 256 << 10 // bytes of one text
	maxNesting  = 200       // of brackets and substitutions in one text
	maxFrames   = 6000      // of the parser's stack: what a nesting of 200 never needs
	maxDepth    = 12        // texts within texts
	maxLayers   = 24        // wrappers around one command
	maxCommands = 4096
	maxWalk     = 1 << 18 // statements and words looked at, unrolled loops included
	maxFields   = 1 << 10 // words that one word expands to; eight times that in all
	maxUnroll   = 16      // values of one loop variable that are followed
	maxShown    = 256     // bytes of an unknown word in Command.Text
)

// reread is how many bytes of texts within a text of n bytes are parsed.
func reread(n int) int { return 6*n + 32<<10 }

// nests reports that text nests too deep for the parser, which recurses and
// cannot be stopped when the stack ends. It counts brackets and substitutions
// without regard to quotes: it may be wrong about data, never about time.
// Text in which quoted closing brackets hide the depth is stopped by depthReader.
func nests(text string) bool {
	depth, ticks := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth = max(depth-1, 0)
		case '`':
			// An escaped backquote opens one level more, a bare one at most one.
			if i > 0 && text[i-1] == '\\' {
				ticks++
			}
		}
		if depth > maxNesting || ticks > 4*maxNesting {
			return true
		}
	}
	return false
}
