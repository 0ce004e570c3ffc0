package answer

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// verdictWords are the words of a verdict, of all fields together, the
// strictest first: a misspelt word that is as near to two means the stricter.
var verdictWords = []struct {
	word    string
	verdict hook.Verdict
}{
	{"deny", hook.Deny}, {"block", hook.Deny},
	{"defer", hook.Defer}, {"ask", hook.Ask},
	{"allow", hook.Allow}, {"approve", hook.Allow},
}

// strayWords are no words of any field, but it is plain what they mean.
var strayWords = map[string]hook.Verdict{
	"reject": hook.Deny, "refuse": hook.Deny, "forbid": hook.Deny, "prohibit": hook.Deny,
	"stop": hook.Deny, "cancel": hook.Deny, "abort": hook.Deny, "false": hook.Deny,
	"confirm": hook.Ask, "prompt": hook.Ask,
	"none": hook.None, "pass": hook.None, "continue": hook.None,
}

// meaning returns the verdict of word and whether word is one of known, as
// written. Any other word gets the verdict of the word that it comes nearest
// to, or None.
func meaning(word string, known []string) (v hook.Verdict, exact bool) {
	if slices.Contains(known, word) {
		return verdictOf(word), true
	}
	word = strings.ToLower(strings.TrimSpace(word))
	if v, ok := strayWords[word]; ok {
		return v, false
	}
	all := make([]string, len(verdictWords))
	for i, w := range verdictWords {
		all[i] = w.word
	}
	return verdictOf(hook.Nearest(word, all)), false
}

func verdictOf(word string) hook.Verdict {
	for _, w := range verdictWords {
		if w.word == word {
			return w.verdict
		}
	}
	return hook.None
}
