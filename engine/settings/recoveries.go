package settings

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Recovery is one entry of `tasks:` or `subagents:`: how long those that it
// is for may take, and what becomes of those that fail.
type Recovery struct {
	ID      string // tasks, subagents[1]
	Source  hook.Source
	Pos     hook.Position
	Match   hook.Text     // a matcher of subjects, or of names of agents
	Timeout time.Duration // 0: it says nothing of that
	Retry   Retry
	// Skip and Delegate are what follows when no retry is left.
	Skip     bool      // of tasks
	Delegate hook.Text // of subagents: to whom
	Broken   *hook.Diagnostic
}

// Retry is how often, and after which delay, something is tried again. Each
// delay is Backoff times the one before, up to MaxDelay.
type Retry struct {
	Set             bool
	Max             int
	Delay, MaxDelay time.Duration
	Backoff         float64
}

// Decides reports whether r says what becomes of a failure.
func (r Recovery) Decides() bool { return r.Retry.Set || r.Skip || r.Delegate.Value != "" }

const (
	maxRetries  = 1000
	maxDelay    = 24 * time.Hour
	maxDuration = 7 * 24 * time.Hour
)

// aroundKey reads `tasks:` and `subagents:`. In a file that is not ours alone
// they are keys of others.
func (d *decoder) aroundKey(m member) {
	switch {
	case d.shared():
	case m.name == "tasks":
		d.Tasks = d.recoveries(m.value, "skip")
	default:
		d.Subagents = d.recoveries(m.value, "delegate")
	}
}

// recoveries reads `tasks:` or `subagents:`: one entry, or a list of them, of
// which the first one that fits counts. last is the key that only one of them
// has.
func (d *decoder) recoveries(n *node, last string) []Recovery {
	if n.kind != listNode {
		if n.kind == nullNode && !n.faulty {
			return nil
		}
		return []Recovery{d.recovery(n, last)}
	}
	var list []Recovery
	if bad := d.own(n); bad != nil {
		list = append(list, Recovery{ID: n.path(), Source: d.Source, Pos: n.pos, Broken: bad})
	}
	var all *Recovery // decides whatever it is
	for _, item := range n.items {
		r := d.recovery(item, last)
		if all != nil && r.Decides() && r.Broken == nil {
			d.report(hook.Warning, item.pos, item.path(), "decides nothing: "+all.ID+" comes before it and is for all", "put it before that")
		}
		if list = append(list, r); all == nil && r.Decides() && (r.Match.Value == "" || r.Match.Value == "*") {
			all = &r
		}
	}
	return list
}

func (d *decoder) recovery(n *node, last string) Recovery {
	r := Recovery{ID: n.path(), Source: d.Source, Pos: n.pos}
	if n.kind != mapNode {
		if r.Broken = d.faults(n); r.Broken == nil {
			r.Broken = d.want(n, "a mapping with retry, timeout or "+last, "write {retry: {max: 3, delay: 1s}}")
		}
		return r
	}
	r.Broken = d.own(n)
	known := []string{"match", "timeout", "retry", last, "description"}
	for _, m := range n.members {
		var bad *hook.Diagnostic
		switch {
		case m.name == "match":
			bad = d.filled(m.value, &r.Match)
		case m.name == "timeout":
			bad = d.duration(m.value, &r.Timeout, false, maxDuration)
		case m.name == "retry":
			bad = d.retry(m.value, &r.Retry)
		case m.name == last && last == "skip":
			bad = d.boolean(m.value, &r.Skip)
		case m.name == last:
			bad = d.filled(m.value, &r.Delegate)
		case m.name == "description":
		default:
			bad = d.unknownKey(n, m, known)
		}
		if r.Broken == nil {
			r.Broken = bad
		}
	}
	if to := n.get("delegate"); r.Broken == nil && to != nil && r.Delegate.Value == r.Match.Value {
		r.Broken = d.fail(to, fmt.Sprintf("%q would get what it has failed at", r.Delegate.Value), "name another agent")
	}
	if r.Broken == nil && r.Timeout == 0 && !r.Decides() {
		d.report(hook.Warning, n.pos, n.path(), "says nothing", "add retry, timeout or "+last)
	}
	return r
}

// unknownKey is an error: what stands there is meant to happen and would not.
func (d *decoder) unknownKey(n *node, m member, known []string) *hook.Diagnostic {
	if strings.HasPrefix(m.name, "x-") {
		return nil
	}
	return d.report(hook.Error, m.pos, n.sub(m.name), fmt.Sprintf("unknown key %q", m.name), meant(m.name, known))
}

func (d *decoder) retry(n *node, to *Retry) *hook.Diagnostic {
	if n.kind != mapNode {
		if bad := d.faults(n); bad != nil {
			return bad
		}
		return d.want(n, "a mapping with max, delay and backoff", "write {max: 3, delay: 1s, backoff: 2}")
	}
	first := d.own(n)
	r := Retry{Set: true, Delay: time.Second, Backoff: 1}
	for _, m := range n.members {
		var bad *hook.Diagnostic
		switch m.name {
		case "max":
			bad = d.count(m.value, &r.Max)
		case "delay":
			bad = d.duration(m.value, &r.Delay, true, maxDelay)
		case "maxDelay":
			bad = d.duration(m.value, &r.MaxDelay, false, maxDelay)
		case "backoff":
			bad = d.factor(m.value, &r.Backoff)
		default:
			bad = d.unknownKey(n, m, []string{"max", "delay", "maxDelay", "backoff"})
		}
		if first == nil {
			first = bad
		}
	}
	if n.get("max") == nil && first == nil {
		first = d.fail(n, "missing max: how often it is tried again", "add max: 3")
	}
	if most := n.get("maxDelay"); r.MaxDelay == 0 {
		r.MaxDelay = max(r.Delay, time.Minute)
	} else if r.MaxDelay < r.Delay && first == nil {
		first = d.fail(most, fmt.Sprintf("a maxDelay of %v cuts off the first delay of %v", r.MaxDelay, r.Delay), "make it longer, or delay shorter")
	}
	*to = r
	return first
}

// count reads a number of retries.
func (d *decoder) count(n *node, to *int) *hook.Diagnostic {
	if bad := d.faults(n); bad != nil {
		return bad
	}
	v, ok := n.value().(int)
	if !ok || v < 0 || v > maxRetries {
		return d.want(n, fmt.Sprintf("a whole number from 0 to %d", maxRetries), "")
	}
	*to = v
	return nil
}

// factor reads what a delay is multiplied with.
func (d *decoder) factor(n *node, to *float64) *hook.Diagnostic {
	if bad := d.faults(n); bad != nil {
		return bad
	}
	switch v := n.value().(type) {
	case int:
		*to = float64(v)
	case float64:
		*to = v
	}
	if n.kind != numberNode || !(*to >= 1 && *to <= 100) {
		return d.want(n, "a number from 1 to 100", "")
	}
	return nil
}
