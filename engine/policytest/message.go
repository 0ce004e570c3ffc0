package policytest

import (
	"math"
	"path/filepath"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

// field is a member of an object in the making; an object is a []field, so
// that its members keep their order.
type field struct {
	name  string
	value any
}

func bashFields(command string) []field {
	return []field{{"tool_name", "Bash"}, {"tool_input", []field{{"command", command}}}}
}

// merge puts the fields of more into fields, in the place of those of the
// same name.
func merge(fields, more []field) []field {
	for _, f := range more {
		if old := find(fields, f.name); old != nil {
			old.value = f.value
		} else {
			fields = append(fields, f)
		}
	}
	return fields
}

func find(fields []field, name string) *field {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

// message encodes an event. What it does not say is PreToolUse, in the
// session of w, in the root of the workspace.
func (w *world) message(fields []field) ([]byte, error) {
	var all []field
	if find(fields, "event") == nil && find(fields, "hook_event_name") == nil {
		all = append(all, field{"hook_event_name", string(hook.PreToolUse)})
	}
	all = append(all, field{"session_id", w.session}, field{"cwd", w.policy.root})
	all = merge(all, fields)
	cwd := find(all, "cwd")
	if dir, ok := cwd.value.(string); ok && !filepath.IsAbs(dir) {
		cwd.value = filepath.Join(w.policy.root, dir)
	}
	return appendFields(nil, all)
}

func appendFields(b []byte, fields []field) ([]byte, error) {
	b = append(b, '{')
	for i, f := range fields {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := answer.Value(f.name)
		if err != nil {
			return nil, err
		}
		b = append(append(b, name...), ':')
		if b, err = appendValue(b, f.value); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendValue(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case raw:
		return append(b, v...), nil
	case []field:
		return appendFields(b, v)
	case []any:
		b = append(b, '[')
		var err error
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = appendValue(b, item); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	}
	raw, err := answer.Value(v)
	return append(b, raw...), err
}

// maxNodes bounds what the aliases of one value may make of it.
const maxNodes = 100_000

func readFields(n *yaml.Node) ([]field, error) {
	v, err := readValue(n)
	if err != nil {
		return nil, err
	}
	fields, ok := v.([]field)
	if !ok {
		return nil, faultf(n.Line, "expected a mapping")
	}
	return fields, nil
}

// readValue makes of YAML what JSON can say.
func readValue(n *yaml.Node) (any, error) {
	left := maxNodes
	return readNode(n, &left, 0)
}

func readNode(n *yaml.Node, left *int, depth int) (any, error) {
	if *left--; *left < 0 || depth > 100 {
		return nil, faultf(n.Line, "too large, or nested too deep")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return readNode(n.Alias, left, depth+1)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			v, err := readNode(item, left, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		fields := make([]field, 0, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
				return nil, faultf(key.Line, "expected a name")
			}
			if find(fields, key.Value) != nil {
				return nil, faultf(key.Line, "the key %q stands there twice", key.Value)
			}
			v, err := readNode(n.Content[i+1], left, depth+1)
			if err != nil {
				return nil, err
			}
			fields = append(fields, field{key.Value, v})
		}
		return fields, nil
	}
	return readScalar(n)
}

func readScalar(n *yaml.Node) (any, error) {
	var v any
	switch n.Tag {
	case "!!null":
		return nil, nil
	case "!!bool", "!!int", "!!float":
		if err := n.Decode(&v); err != nil {
			return nil, faultf(n.Line, "%s: %v", strconv.Quote(n.Value), err)
		}
		if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			return nil, faultf(n.Line, "%s is no number of JSON", n.Value)
		}
		return v, nil
	}
	return n.Value, nil
}
