package settings

import (
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

// An agent's own settings hold the entry that calls Pawl. Read by Pawl, it
// would call itself without end.
var pawlHook = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s/\\"';&|(])pawld?(?:\.exe)?["']?\s+hook(?:$|[\s;&|<>)"'])`)
})

// pawlCall returns the command of s if it calls `pawl hook`, else "".
func pawlCall(s *hook.Spec) string {
	var command string
	var args []any
	for _, f := range s.Fields {
		switch v := f.Value.(type) {
		case string:
			if f.Name == "command" {
				command = v
			}
		case []any:
			if f.Name == "args" {
				args = v
			}
		}
	}
	if len(args) > 0 && args[0] == "hook" {
		command = filepath.ToSlash(command) + " hook"
	}
	if s.Type == "command" && strings.Contains(command, "pawl") && pawlHook().MatchString(command) {
		return command
	}
	return ""
}

// dropped leaves e out: it calls Pawl itself.
func (d *decoder) dropped(e *entry, call string) {
	sev, message := hook.Note, "left out: it calls Pawl itself"
	if strings.ContainsAny(call, ";&|\n") {
		sev, message = hook.Warning, message+", with all else that its command does"
	}
	d.report(sev, e.Pos, e.node.path(), message, "")
}
