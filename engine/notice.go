package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/engine/hook"
)

// rewriteNotice tells the user what a rewrite changes, member by member.
func rewriteNotice(b *bound, old, now hook.Object) string {
	var changes []string
	for _, m := range now.Members() {
		before := old.RawOf(m.Name)
		switch {
		case before == nil:
			changes = append(changes, fmt.Sprintf("%s added: %s", m.Name, short(m.Raw)))
		case !bytes.Equal(before, m.Raw):
			changes = append(changes, fmt.Sprintf("%s: %s -> %s", m.Name, short(before), short(m.Raw)))
		}
	}
	for _, m := range old.Members() {
		if now.RawOf(m.Name) == nil {
			changes = append(changes, m.Name+" removed")
		}
	}
	const most = 8
	if len(changes) > most {
		changes = append(slices.Clip(changes[:most]), fmt.Sprintf("and %d more", len(changes)-most))
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

// printable escapes what could move a terminal's cursor, ring, or turn the
// reading direction; line breaks and tabs stay.
func printable(s string) string {
	if strings.IndexFunc(s, unsafeRune) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unsafeRune(r) {
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func unsafeRune(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' || r == '\u2028' || r == '\u2029')
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
