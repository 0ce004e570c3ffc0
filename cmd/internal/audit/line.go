package audit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// MaxLine is the most that a record takes in the file, in bytes.
const MaxLine = 16 << 10

// limits are how much of a record is written.
type limits struct {
	text    int // bytes of each text
	reasons int
	hooks   int
}

// stages are tried until the line fits; the last always does, even if each
// byte is written as six.
var stages = [...]limits{{1024, 8, 64}, {512, 4, 16}, {256, 2, 4}, {64, 1, 1}}

// clean returns r without secrets and within the first limits. Nothing of r is
// changed.
func (r Record) clean(hide *Redactor) Record {
	l := stages[0]
	r = r.within(l)
	r.texts(func(s string) string {
		short := hide.Clean(s, l.text)
		r.Cut = r.Cut || len(s) > l.text
		return short
	})
	return r
}

// line encodes a clean record, with its line break.
func (r Record) line() []byte {
	var b bytes.Buffer
	for i := range stages {
		if l := stages[i]; i > 0 {
			r = r.within(l)
			r.texts(func(s string) string { return clip(s, l.text) })
			r.Cut = true
		}
		b.Reset()
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.Encode(r) // strings and numbers can be encoded, and a buffer takes all
		if b.Len() <= MaxLine {
			break
		}
	}
	return b.Bytes()
}

func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return s[:runeEnd(s, 0, most)] + "…"
}

// within returns r with no more reasons and hooks than l allows, in slices of
// its own.
func (r Record) within(l limits) Record {
	r.Cut = r.Cut || len(r.Reasons) > l.reasons || len(r.Hooks) > l.hooks
	r.Reasons = slices.Clone(r.Reasons[:min(len(r.Reasons), l.reasons)])
	r.Hooks = slices.Clone(r.Hooks)
	if len(r.Hooks) > l.hooks {
		slices.SortStableFunc(r.Hooks, func(a, b Run) int { return cmp.Compare(b.weight(), a.weight()) })
		r.Hooks = r.Hooks[:l.hooks]
	}
	return r
}

// weight says how much a hook had to do with the decision; a failure counts
// as much as an ask.
func (h Run) weight() hook.Verdict {
	v, _ := hook.ParseVerdict(h.Verdict)
	would, _ := hook.ParseVerdict(h.Would)
	if h.Cause != "" {
		v = max(v, hook.Ask)
	}
	return max(v, would)
}

// texts puts f of each text that comes from outside in its place.
func (r *Record) texts(f func(string) string) {
	for _, p := range []*string{&r.Session, &r.Event, &r.Tool, &r.Subject, &r.Rewritten, &r.Error, &r.Snapshot, &r.Root} {
		*p = f(*p)
	}
	for i := range r.Reasons {
		r.Reasons[i] = f(r.Reasons[i])
	}
	for i := range r.Hooks {
		for _, p := range []*string{&r.Hooks[i].ID, &r.Hooks[i].Source, &r.Hooks[i].File} {
			*p = f(*p)
		}
	}
}
