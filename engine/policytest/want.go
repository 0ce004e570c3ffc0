package policytest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/pawl-dev/pawl/engine/hook"
)

// want looks at one turn and says what is not as wanted, "" if all is.
type want func(w *world, t Turn) string

// readWants reads all wantKeys of a case or step.
func readWants(top map[string]*yaml.Node) ([]want, error) {
	var all []want
	for _, key := range wantKeys() {
		n := top[key]
		if n == nil {
			continue
		}
		var f want
		var err error
		switch key {
		case "want":
			f, err = wantVerdict(n)
		case "reason":
			f, err = wantText(n, key, func(d hook.Decision) []string { return []string{d.Reason()} })
		case "context":
			f, err = wantText(n, key, func(d hook.Decision) []string { return d.Context })
		case "notice":
			f, err = wantText(n, key, func(d hook.Decision) []string { return d.Notices })
		case "rewrite":
			f, err = wantRewrite(n)
		case "halted":
			f, err = wantHalted(n)
		case "state":
			f, err = wantState(n)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

func wantVerdict(n *yaml.Node) (want, error) {
	wanted, ok := hook.ParseVerdict(n.Value)
	if !ok || n.Kind != yaml.ScalarNode {
		return nil, faultf(n.Line, "want: expected none, allow, ask, defer or deny, got %q", n.Value)
	}
	return func(_ *world, t Turn) string {
		if t.Decision.Verdict == wanted {
			return ""
		}
		problem := fmt.Sprintf("wanted %s, got %s", wanted, t.Decision.Verdict)
		if reason := t.Decision.Reason(); reason != "" {
			problem += ": " + reason
		}
		return problem
	}, nil
}

// wantText reads a text that must be part of what texts returns, a /regular
// expression/ that must be found in it, or a list of those; false says that
// there must be no text at all.
func wantText(n *yaml.Node, key string, texts func(hook.Decision) []string) (want, error) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!bool" && n.Value == "false" {
		return func(_ *world, t Turn) string {
			if got := strings.Join(texts(t.Decision), "\n"); got != "" {
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
		got := strings.Join(texts(t.Decision), "\n")
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
