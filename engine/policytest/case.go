package policytest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

// wantKeys are the keys of a case that say what is wanted.
func wantKeys() []string {
	return []string{"want", "reason", "context", "rewrite", "notice", "halted", "state", "delay", "agent"}
}

// turnKeys are the keys that say what happens.
func turnKeys() []string { return []string{"bash", "event", "task", "subagent"} }

func stepKeys() []string { return append(turnKeys(), wantKeys()...) }

func readCase(n *yaml.Node) (yamlCase, error) {
	c := yamlCase{line: n.Line}
	n = target(n)
	top, err := members(n, append([]string{"name", "events"}, stepKeys()...)...)
	if err != nil {
		return c, err
	}
	if top["name"] != nil {
		if c.name, err = text(top["name"], "name"); err != nil {
			return c, err
		}
	}
	if events := top["events"]; events != nil {
		err = c.sequence(top, events)
	} else {
		var t yamlTurn
		t, err = readTurn(n, top)
		c.turns = []yamlTurn{t}
	}
	if err != nil {
		return c, err
	}
	last := &c.turns[len(c.turns)-1]
	wants, err := readWants(top, last.moment)
	if err != nil {
		return c, err
	}
	last.wants = append(last.wants, wants...)
	if !slices.ContainsFunc(c.turns, func(t yamlTurn) bool { return len(t.wants) > 0 }) {
		return c, faultf(c.line, `the case wants nothing: write want: %s`, oneOf(verdictWords(last.moment)))
	}
	if c.name == "" {
		c.name = c.gist()
	}
	return c, nil
}

// sequence reads events: what the case wants is wanted of the last one.
func (c *yamlCase) sequence(top map[string]*yaml.Node, events *yaml.Node) error {
	for _, key := range turnKeys() {
		if top[key] != nil {
			return faultf(c.line, `"events" stands for itself, without %q`, key)
		}
	}
	if events.Kind != yaml.SequenceNode || len(events.Content) == 0 {
		return faultf(events.Line, "events: expected a list")
	}
	for _, n := range events.Content {
		t, err := readStep(n)
		if err != nil {
			return err
		}
		c.turns = append(c.turns, t)
	}
	return nil
}

// readStep reads one of several events: bash, event, task or subagent with what
// is wanted of it, or the members of an event alone.
func readStep(n *yaml.Node) (yamlTurn, error) {
	n = target(n)
	if n.Kind == yaml.MappingNode && !isStep(n) {
		fields, err := readFields(n)
		return yamlTurn{line: n.Line, fields: fields}, err
	}
	top, err := members(n, stepKeys()...)
	if err != nil {
		return yamlTurn{}, err
	}
	t, err := readTurn(n, top)
	if err == nil {
		t.wants, err = readWants(top, t.moment)
	}
	return t, err
}

// isStep tells the two forms apart: as a member of an event, event is its name.
func isStep(n *yaml.Node) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		if name == "bash" || slices.Contains(turnKeys(), name) && target(n.Content[i+1]).Kind == yaml.MappingNode {
			return true
		}
	}
	return false
}

// readTurn reads a task or subagent, or the event of bash and event: members of
// event count.
func readTurn(n *yaml.Node, top map[string]*yaml.Node) (yamlTurn, error) {
	t := yamlTurn{line: n.Line}
	for _, of := range []string{"task", "subagent"} {
		if top[of] != nil {
			return readMoment(n.Line, of, top)
		}
	}
	if top["bash"] == nil && top["event"] == nil {
		return t, faultf(n.Line, `what happens? write bash: "a command", or event:, events:, task: or subagent:`)
	}
	if b := top["bash"]; b != nil {
		command, err := text(b, "bash")
		if err != nil {
			return t, err
		}
		t.line = b.Line
		t.fields = bashFields(command)
	}
	if e := top["event"]; e != nil {
		if e.Kind != yaml.MappingNode {
			return t, faultf(e.Line, "event: expected the members of an event, such as {tool_name: Read, tool_input: {file_path: a}}")
		}
		more, err := readFields(e)
		if err != nil {
			return t, err
		}
		t.fields = merge(t.fields, more)
	}
	return t, nil
}

// readMoment reads what happens to a task or subagent.
func readMoment(line int, of string, top map[string]*yaml.Node) (yamlTurn, error) {
	for _, key := range turnKeys() {
		if key != of && top[key] != nil {
			return yamlTurn{}, faultf(line, "%q stands for itself, without %q", of, key)
		}
	}
	n := top[of]
	if n.Kind != yaml.MappingNode {
		return yamlTurn{}, faultf(n.Line, "%s: expected its members, such as {%s, error: \"no network\"}", of,
			map[string]string{"task": "subject: build", "subagent": "subagent_name: reviewer"}[of])
	}
	fields, err := readFields(n)
	if err != nil {
		return yamlTurn{}, err
	}
	raw, err := appendFields(nil, fields)
	if err != nil {
		return yamlTurn{}, faultf(n.Line, "%s: %v", of, err)
	}
	about, err := answer.Parse(raw)
	if err != nil {
		return yamlTurn{}, faultf(n.Line, "%s: %v", of, err)
	}
	m, err := newMoment(of, about)
	if err != nil {
		return yamlTurn{}, faultf(n.Line, "%v", err)
	}
	return yamlTurn{line: n.Line, moment: &m}, nil
}

// gist names a case by its last event.
func (c *yamlCase) gist() string {
	name := c.turns[len(c.turns)-1].gist()
	if len(c.turns) > 1 {
		name = fmt.Sprintf("%d events, at last %s", len(c.turns), name)
	}
	return name
}

func (y yamlTurn) gist() string {
	if m := y.moment; m != nil {
		what := cmp.Or(m.about.Text("subject"), m.about.Text("subagent_name"), m.about.Text("id"))
		return strings.TrimSpace(m.phase() + " " + what)
	}
	var last struct{ event, tool, what string }
	for _, f := range y.fields {
		switch v := f.value.(type) {
		case string:
			switch f.name {
			case "hook_event_name", "event":
				last.event = v
			case "tool_name":
				last.tool = v
			case "prompt":
				last.what = v
			}
		case []field:
			for _, name := range []string{"command", "file_path", "url"} {
				for _, in := range v {
					if s, ok := in.value.(string); ok && in.name == name && last.what == "" {
						last.what = s
					}
				}
			}
		}
	}
	if last.tool == "Bash" && (last.event == "" || last.event == string(hook.PreToolUse)) {
		last.tool = ""
	}
	name := strings.Join(strings.Fields(last.event+" "+last.tool), " ")
	return strings.TrimSpace(name + " " + last.what)
}

// target is the node that an alias stands for, else n itself.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// members returns the values of a mapping, whose keys are known or start with
// x-: those are for anchors and do nothing.
func members(n *yaml.Node, known ...string) (map[string]*yaml.Node, error) {
	if n.Kind != yaml.MappingNode {
		return nil, faultf(n.Line, "expected a mapping with %s", strings.Join(known, ", "))
	}
	found := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case strings.HasPrefix(key.Value, "x-"):
		case !slices.Contains(known, key.Value):
			advice := hook.DidYouMean(key.Value, known)
			if advice == "" {
				advice = "known: " + strings.Join(known, ", ")
			}
			return nil, faultf(key.Line, "unknown key %q (%s)", key.Value, advice)
		case found[key.Value] != nil:
			return nil, faultf(key.Line, "the key %q stands there twice", key.Value)
		}
		found[key.Value] = target(n.Content[i+1])
	}
	return found, nil
}

func text(n *yaml.Node, what string) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Value == "" {
		return "", faultf(n.Line, "%s: expected a text", what)
	}
	return n.Value, nil
}
