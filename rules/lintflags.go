package rules

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// lintBraces notes braces in a command pattern that are no group of flags
// although they look like one, and groups that say something else than meant.
func lintBraces(n *notes, shown, pattern string) {
	for rest := pattern; ; {
		before, inner, ok := strings.Cut(rest, "{")
		if !ok {
			return
		}
		inner, rest, ok = strings.Cut(inner, "}")
		if !ok {
			if strings.HasSuffix(before, " ") && strings.HasPrefix(inner, "-") {
				n.add(hook.Warning, fmt.Sprintf("%s: the brace is not closed, so {%s is literal text", shown, inner), "write git push {--force,-f} *")
			}
			return
		}
		whole := strings.HasSuffix(before, " ") && (rest == "" || rest[0] == ' ' || rest[0] == ':')
		if message, advice := braces(inner, whole); message != "" {
			n.add(hook.Warning, fmt.Sprintf("%s: {%s} %s", shown, inner, message), advice)
			return
		}
	}
}

// braces says what is wrong with {inner} in a pattern; whole: it is a word of
// its own, not the first.
func braces(inner string, whole bool) (message, advice string) {
	dashes, words := 0, strings.Split(inner, ",")
	for _, w := range words {
		w = strings.TrimSpace(w)
		if strings.HasPrefix(w, "-") {
			dashes++
		}
		if len(w) > 2 && len(w) <= 4 && w[0] == '-' && w[1] != '-' && strings.Trim(w[1:], "rRfFvxdDun") == "" && whole {
			return fmt.Sprintf("looks for one option named %s", w), fmt.Sprintf("write {-%c} {-%c} for flags that may stand together or apart", w[1], w[2])
		}
	}
	switch {
	case dashes > 0 && strings.ContainsAny(inner, " \t"):
		return "is literal text: there is a blank in it", "write it without blanks: {--force,-f}"
	case dashes > 0 && dashes < len(words):
		return "is literal text: not all of its members start with a dash", "write one pattern for each"
	case dashes > 0 && !whole:
		return "is literal text: it is no word of its own behind the command", "write git push {--force,-f} *"
	case dashes > 0 && strings.ContainsAny(inner, "*="):
		return "is literal text: a flag is named without its value", "write {--force}: it fits --force=x too"
	case dashes == 0 && len(words) > 1 && !strings.ContainsAny(inner, " \"':"):
		return "is literal text: only flags are alternatives in braces", "write one pattern for each"
	}
	return "", ""
}
