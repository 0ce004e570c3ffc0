package settings

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// mapping reads the keys of y into n, then what it merges.
func (r *yamlReader) mapping(n *node, y *yaml.Node, w way) {
	var merge *yaml.Node
	for i := 0; i+1 < len(y.Content); i += 2 {
		k, v := y.Content[i], y.Content[i+1]
		pos := r.pos(r.marks.offset(k.Line, k.Column))
		switch {
		case k.Tag == "!!merge" && merge != nil:
			n.fault(fault{pos: pos, key: "<<", message: "a second merge key <<", advice: "write one: <<: [*a, *b]"})
		case k.Tag == "!!merge":
			merge = v
		case k.Kind != yaml.ScalarNode || k.Tag == "!!null":
			n.fault(fault{pos: pos, message: "a key must be a string", advice: "quote it"})
		case r.tag(k, r.marks.offset(k.Line, k.Column)) != "":
			n.fault(fault{pos: pos, message: "explicit tag on a key: tags are not allowed", advice: "quote the key"})
		case y.Style&yaml.FlowStyle != 0 && v.Tag == "!!null" && v.Value == "":
			n.fault(fault{pos: pos, key: k.Value, message: fmt.Sprintf("key %q has no value", k.Value),
				advice: "if it belongs to the value before it, quote that as a whole"})
		default:
			n.add(member{k.Value, pos, r.node(v, way{n, k.Value, 0, w.depth, w.copied})})
		}
	}
	if merge != nil {
		r.merge(n, merge, w)
	}
}

// merge adds the members of the maps in v that n does not have; of several
// maps the first one wins.
func (r *yamlReader) merge(n *node, v *yaml.Node, w way) {
	maps := []*yaml.Node{v}
	if v.Kind == yaml.SequenceNode {
		maps = v.Content
	}
	for _, y := range maps {
		from := r.node(y, way{n, "<<", 0, w.depth, true})
		for _, f := range from.faults {
			n.fault(f)
		}
		if from.kind != mapNode && len(from.faults) == 0 {
			n.fault(fault{pos: from.pos, key: "<<", message: "merge key <<: expected a mapping, got " + from.describe()})
		}
		for _, m := range from.members {
			if n.find(m.name) == nil {
				m.value.parent = n
				n.add(m)
			}
		}
	}
}
