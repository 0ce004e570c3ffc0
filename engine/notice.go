package engine

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/engine/hook"
)

// rewriteNotice tells the user what a rewrite changes, member by member.
func rewriteNotice(b *bound, old, now hook.Object) string {
	const most = 8
	before := make(map[string][]byte, len(old.Members()))
	for _, m := range old.Members() {
		before[m.Name] = m.Raw
	}
	var changes []string
	more := 0
	change := func(text string) {
		if more++; more <= most {
			changes = append(changes, text)
		}
	}
	for _, m := range now.Members() {
		raw, was := before[m.Name]
		delete(before, m.Name)
		switch {
		case !was:
			change(fmt.Sprintf("%s added: %s", m.Name, short(m.Raw)))
		case !bytes.Equal(raw, m.Raw):
			change(fmt.Sprintf("%s: %s -> %s", m.Name, short(raw), short(m.Raw)))
		}
	}
	for _, m := range old.Members() {
		if _, gone := before[m.Name]; gone {
			change(m.Name + " removed")
		}
	}
	if more > most {
		changes = append(changes, fmt.Sprintf("and %d more", more-most))
	}
	return fmt.Sprintf("%s changed the tool input: %s", b.where(), strings.Join(changes, ", "))
}

// short cuts a value for a notice, at a rune.
func short(raw []byte) string {
	const most = 160
	if len(raw) <= most {
		return string(raw)
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(raw[cut]) {
		cut--
	}
	return string(raw[:cut]) + "…"
}

// noteUnheard tells of an event that the table does not know and whose name
// is nearly one that it does: hooks on that one do not run.
func noteUnheard(dec *hook.Decision) {
	near := hook.Nearest(string(dec.Event), hook.EventNames())
	if near == "" {
		return
	}
	why := fmt.Sprintf("the event %q is unknown%s", dec.Event, didYouMean(near))
	dec.Notices = append(dec.Notices, "pawl: "+why)
	dec.Steps = append(dec.Steps, hook.Step{Hook: "event", Type: "engine", Source: hook.Source{Layer: hook.Builtin}, Status: hook.Problem, Detail: why})
}
