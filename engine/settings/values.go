package settings

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

func (n *node) children() []*node {
	if n.kind != mapNode {
		return n.items
	}
	values := make([]*node, len(n.members))
	for i, m := range n.members {
		values[i] = m.value
	}
	return values
}

// The readers of values below record what is wrong and return it, or nil.

func (d *decoder) boolean(n *node, to *bool) *hook.Diagnostic { return d.truth(n, to, "") }

func (d *decoder) truth(n *node, to *bool, advice string) *hook.Diagnostic {
	if bad := d.faults(n); bad != nil {
		return bad
	}
	if n.kind != boolNode || n.text != "true" && n.text != "false" {
		return d.want(n, "true or false", advice)
	}
	*to = n.text == "true"
	return nil
}

func (d *decoder) str(n *node, to *hook.Text) *hook.Diagnostic {
	if bad := d.faults(n); bad != nil {
		return bad
	}
	if n.kind != textNode {
		return d.want(n, "a string", quoteAdvice(n))
	}
	*to = hook.Text{Value: n.text, Pos: n.pos}
	return nil
}

// filled reads a string that may not be empty.
func (d *decoder) filled(n *node, to *hook.Text) *hook.Diagnostic {
	if bad := d.str(n, to); bad != nil {
		return bad
	}
	if strings.TrimSpace(to.Value) == "" {
		return d.fail(n, "empty", "write a text, or remove the key")
	}
	return nil
}

// word reads one of words and returns its index.
func (d *decoder) word(n *node, words ...string) (int, *hook.Diagnostic) {
	var t hook.Text
	if bad := d.str(n, &t); bad != nil {
		return 0, bad
	}
	i := slices.Index(words, t.Value)
	if i < 0 {
		return 0, d.want(n, "one of "+strings.Join(words, ", "), hook.DidYouMean(t.Value, words))
	}
	return i, nil
}

// pattern reads an item of a list of strings. YAML 1.1 read yes, no, on and
// off as bools and readers differ since: in a list of patterns they need
// quotes.
func (d *decoder) pattern(n *node, to *hook.Text) *hook.Diagnostic {
	ambiguous := []string{"yes", "no", "on", "off", "y", "n"}
	if n.kind == textNode && n.plain && slices.Contains(ambiguous, strings.ToLower(n.text)) {
		return d.fail(n, fmt.Sprintf("%s may be read as true or false", n.text), "quote it")
	}
	return d.filled(n, to)
}

func quoteAdvice(n *node) string {
	switch n.kind {
	case mapNode:
		return "quote it: a colon and a space begin a mapping in YAML"
	case listNode:
		return "quote it: [ begins a list in YAML"
	case nullNode:
		return "write a text, or remove it"
	}
	return "quote it"
}

const maxTimeout = 300 * time.Second

func (d *decoder) timeout(n *node, to *time.Duration) *hook.Diagnostic {
	return d.duration(n, to, false, maxTimeout)
}

// duration reads "5s", "1500ms", or a number: seconds below 1000, else
// milliseconds. Both units occur in the wild. What is more than most is cut.
func (d *decoder) duration(n *node, to *time.Duration, zero bool, most time.Duration) *hook.Diagnostic {
	if bad := d.faults(n); bad != nil {
		return bad
	}
	var t time.Duration
	milli := false
	switch v := n.value().(type) {
	case int:
		t, milli = span(float64(v))
	case float64:
		t, milli = span(v)
	case string:
		var err error
		if t, err = time.ParseDuration(v); err != nil {
			return d.want(n, `a duration such as "5s" or "1500ms", or a number`, "")
		}
	default:
		return d.want(n, `a duration such as "5s" or "1500ms", or a number`, "")
	}
	switch {
	case zero && t < 0:
		return d.want(n, "a delay of 0 or more", "")
	case !zero && t <= 0:
		return d.want(n, "a timeout greater than 0", "")
	case t > most:
		what := "timeout"
		if zero {
			what = "delay"
		}
		d.report(hook.Note, n.pos, n.path(), fmt.Sprintf("%s of %v is cut to %v", what, t, most), "")
		t = most
	case milli:
		d.report(hook.Note, n.pos, n.path(), fmt.Sprintf("%s is read as milliseconds: %v", n.text, t), "numbers below 1000 are seconds")
	}
	*to = t
	return nil
}

// span is a number as a duration, with large ones held within range, and
// whether it is one of milliseconds.
func span(v float64) (t time.Duration, milli bool) {
	unit := time.Second
	if milli = v >= 1000; milli {
		unit = time.Millisecond
	}
	return time.Duration(max(-1, min(v, 1e12)) * float64(unit)), milli
}
