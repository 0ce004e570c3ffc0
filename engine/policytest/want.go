package policytest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// want looks at one turn and says what is not as wanted, "" if all is.
type want func(w *world, t Turn) string

// readWants reads all wantKeys of a case or step. m is nil if it is about an
// event: some keys are for events alone, and some for what failed.
func readWants(top map[string]*yaml.Node, m *moment) ([]want, error) {
	var all []want
	for _, key := range wantKeys() {
		n := top[key]
		if n == nil {
			continue
		}
		if why := misplaced(key, m); why != "" {
			return nil, faultf(n.Line, "%s: %s", key, why)
		}
		f, err := readWant(key, n, m)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

func readWant(key string, n *yaml.Node, m *moment) (want, error) {
	switch key {
	case "reason":
		return wantText(n, key, reasons)
	case "context":
		return wantText(n, key, func(t Turn) []string { return t.Decision.Context })
	case "notice":
		return wantText(n, key, func(t Turn) []string { return t.Decision.Notices })
	case "agent":
		return wantText(n, key, func(t Turn) []string { return []string{t.Recovery.Agent} })
	case "rewrite":
		return wantRewrite(n)
	case "halted":
		return wantHalted(n)
	case "state":
		return wantState(n)
	case "delay":
		return wantDelay(n)
	}
	return wantWord(n, m)
}

// misplaced says why key means nothing about what happens, or "".
func misplaced(key string, m *moment) string {
	switch key {
	case "context", "notice", "rewrite", "halted":
		if m != nil {
			return fmt.Sprintf("only events have it, not %s", m.phase())
		}
	case "delay", "agent":
		if m == nil || !m.failed {
			return "only the failure of a task or subagent has it"
		}
		if key == "agent" && m.of == "task" {
			return "a task is not delegated"
		}
	}
	return ""
}

func reasons(t Turn) []string {
	if t.Recovery != nil {
		return []string{t.Recovery.Reason}
	}
	return []string{t.Decision.Reason()}
}

// verdictWords are what want may be.
func verdictWords(m *moment) []string {
	switch {
	case m == nil:
		return []string{"none", "allow", "ask", "defer", "deny"}
	case !m.failed:
		return []string{"none"}
	case m.of == "task":
		return []string{"none", "retry", "skip", "fail"}
	}
	return []string{"none", "retry", "fail", "delegate"}
}

// oneOf lists words: "a, b or c".
func oneOf(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func wantWord(n *yaml.Node, m *moment) (want, error) {
	words := verdictWords(m)
	if n.Kind != yaml.ScalarNode || !slices.Contains(words, n.Value) {
		return nil, faultf(n.Line, "want: expected %s, got %q", oneOf(words), n.Value)
	}
	wanted := n.Value
	return func(_ *world, t Turn) string {
		got := t.Decision.Verdict.String()
		if t.Recovery != nil {
			got = t.Recovery.Word
		}
		if got == wanted {
			return ""
		}
		problem := fmt.Sprintf("wanted %s, got %s", wanted, got)
		if reason := reasons(t)[0]; reason != "" {
			problem += ": " + reason
		}
		return problem
	}, nil
}

// wantDelay reads the delay of a retry, "1.5s" or a number of seconds.
func wantDelay(n *yaml.Node) (want, error) {
	wanted, err := time.ParseDuration(n.Value)
	if seconds, bad := strconv.ParseFloat(n.Value, 64); bad == nil && seconds < maxDelay.Seconds() {
		wanted, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || wanted < 0 || wanted > maxDelay {
		return nil, faultf(n.Line, "delay: expected a time such as 1s or 250ms, got %q", n.Value)
	}
	return func(_ *world, t Turn) string {
		switch r := t.Recovery; {
		case r.Word != "retry":
			return fmt.Sprintf("delay: wanted %v, got no retry", wanted)
		case r.Delay != wanted:
			return fmt.Sprintf("delay: wanted %v, got %v", wanted, r.Delay)
		}
		return ""
	}, nil
}

// maxDelay bounds what a test may want.
const maxDelay = 365 * 24 * time.Hour

// wantText reads a text that must be part of what texts returns, a /regular
// expression/ that must be found in it, or a list of those; false says that
// there must be no text at all.
func wantText(n *yaml.Node, key string, texts func(Turn) []string) (want, error) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!bool" && n.Value == "false" {
		return func(_ *world, t Turn) string {
			if got := strings.Join(texts(t), "\n"); got != "" {
				return fmt.Sprintf("%s: wanted nothing, got %q", key, got)
			}
			return ""
		}, nil
	}
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	type part struct {
		shown string
		found func(string) bool
	}
	var parts []part
	for _, item := range list {
		wanted, err := text(item, key)
		if err != nil {
			return nil, err
		}
		p := part{fmt.Sprintf("%q", wanted), func(got string) bool { return strings.Contains(got, wanted) }}
		if len(wanted) > 2 && wanted[0] == '/' && strings.HasSuffix(wanted, "/") {
			re, err := regexp.Compile(wanted[1 : len(wanted)-1])
			if err != nil {
				return nil, faultf(item.Line, "%s: %v", key, err)
			}
			p = part{wanted, re.MatchString}
		}
		parts = append(parts, p)
	}
	return func(_ *world, t Turn) string {
		got := strings.Join(texts(t), "\n")
		for _, p := range parts {
			if !p.found(got) {
				return fmt.Sprintf("%s: wanted %s, got %q", key, p.shown, got)
			}
		}
		return ""
	}, nil
}

// wantRewrite reads the whole new input, or false for an input that stays.
func wantRewrite(n *yaml.Node) (want, error) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!bool" && n.Value == "false" {
		return func(_ *world, t Turn) string {
			if t.Decision.Input.Absent() {
				return ""
			}
			return fmt.Sprintf("rewrite: wanted none, got %s", t.Decision.Input.Raw())
		}, nil
	}
	fields, err := readFields(n)
	if err != nil {
		return nil, faultf(n.Line, "rewrite: expected the new input, or false")
	}
	wanted, err := appendFields(nil, fields)
	if err != nil {
		return nil, faultf(n.Line, "rewrite: %v", err)
	}
	return func(_ *world, t Turn) string {
		got := t.Decision.Input.Raw()
		if sameJSON(wanted, got) {
			return ""
		}
		return fmt.Sprintf("rewrite: wanted %s, got %s", wanted, orNone(got))
	}, nil
}

func wantHalted(n *yaml.Node) (want, error) {
	var wanted bool
	if n.Tag != "!!bool" || n.Decode(&wanted) != nil {
		return nil, faultf(n.Line, "halted: expected true or false")
	}
	return func(_ *world, t Turn) string {
		if t.Decision.Halted == wanted {
			return ""
		}
		return fmt.Sprintf("halted: wanted %v, got %v", wanted, t.Decision.Halted)
	}, nil
}

// wantState reads names with the values that policies keep under them after
// the event; null stands for none.
func wantState(n *yaml.Node) (want, error) {
	fields, err := readFields(n)
	if err != nil {
		return nil, faultf(n.Line, "state: expected names with values")
	}
	wanted := make([][]byte, len(fields))
	for i, f := range fields {
		if wanted[i], err = appendValue(nil, f.value); err != nil {
			return nil, faultf(n.Line, "state: %v", err)
		}
	}
	return func(w *world, _ Turn) string {
		for i, f := range fields {
			got := w.state.kept(f.name)
			if got == nil && f.value == nil || sameJSON(wanted[i], got) {
				continue
			}
			return fmt.Sprintf("state %s: wanted %s, got %s", f.name, wanted[i], orNone(got))
		}
		return ""
	}, nil
}

func orNone(raw []byte) string {
	if raw == nil {
		return "none"
	}
	return string(raw)
}

// sameJSON compares values: the order of members and white space do not count.
func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
