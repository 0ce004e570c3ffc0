package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/pawl-dev/pawl/engine/hook"
)

// What one text may hold; see also maxFile.
const (
	maxDepth  = 200
	maxNodes  = 200_000
	maxCopied = 100_000 // of them through aliases
)

// yamlReader turns the nodes of yaml.v3 into ours.
type yamlReader struct {
	*text
	marks  marks
	open   map[*yaml.Node]bool // anchored nodes on the way from the root
	count  int
	copied int
	fatal  *hook.Diagnostic // the first thing that makes the whole text unreadable
}

// readYAML reads the bytes from:to of t. Without a value in them the node is
// nil; with an error the text is lost as a whole.
func readYAML(t *text, from, to int) (root *node, bad *hook.Diagnostic) {
	defer func() {
		if p := recover(); p != nil {
			root, bad = nil, t.broken(from, fmt.Sprintf("the YAML reader failed: %v", p), "")
		}
	}()
	r := yamlReader{text: t, marks: newMarks(t.data[from:to], from), open: map[*yaml.Node]bool{}}
	doc, bad := r.document(t.data[from:to], from)
	if bad != nil || doc == nil {
		return nil, bad
	}
	root = r.node(doc, way{})
	if r.fatal != nil {
		return nil, r.fatal
	}
	return root, nil
}

// document returns the value of the only document.
func (r *yamlReader) document(data []byte, from int) (*yaml.Node, *hook.Diagnostic) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, yamlError(r.text, data, from, err)
	}
	switch err = dec.Decode(&more); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, yamlError(r.text, data, from, err)
	case len(more.Content) > 0 && more.Content[0].Tag != "!!null":
		return nil, r.broken(r.marks.offset(more.Line, more.Column), "a second document: only one is read",
			"remove the --- line, or put the rest into a file of its own")
	}
	if len(doc.Content) == 0 || doc.Content[0].Tag == "!!null" && doc.Content[0].Value == "" {
		return nil, nil
	}
	return doc.Content[0], nil
}

// way is how a node is reached.
type way struct {
	parent *node
	key    string
	index  int
	depth  int
	copied bool // through an alias
}

func (r *yamlReader) node(y *yaml.Node, w way) *node {
	off := r.marks.offset(y.Line, y.Column)
	n := &node{pos: r.pos(off), parent: w.parent, key: w.key, index: w.index}
	if !r.within(off, &w) {
		return n
	}
	if y.Kind == yaml.AliasNode {
		w.copied = true
		if r.open[y.Alias] {
			n.fault(fault{pos: n.pos, message: fmt.Sprintf("alias *%s is inside its own anchor", y.Value)})
			return n
		}
		return r.node(y.Alias, w)
	}
	if y.Anchor != "" {
		r.open[y] = true
		defer delete(r.open, y)
	}
	if tag := r.tag(y, off); tag != "" {
		n.fault(fault{pos: n.pos, message: fmt.Sprintf("explicit tag %s: tags are not allowed", tag),
			advice: "quote the whole value: one that begins with ! is a tag in YAML"})
	}
	switch y.Kind {
	case yaml.ScalarNode:
		scalar(n, y)
	case yaml.SequenceNode:
		n.kind = listNode
		for i, c := range y.Content {
			n.items = append(n.items, r.node(c, way{n, "", i, w.depth, w.copied}))
		}
	case yaml.MappingNode:
		n.kind = mapNode
		r.mapping(n, y, w)
	}
	return n
}

// within counts the node that w leads to and reports whether it is in bounds.
func (r *yamlReader) within(off int, w *way) bool {
	w.depth++
	r.count++
	if w.copied {
		r.copied++
	}
	switch {
	case r.fatal != nil:
	case w.depth > maxDepth:
		r.fatal = r.broken(off, fmt.Sprintf("nested deeper than %d levels", maxDepth), "")
	case r.copied > maxCopied:
		r.fatal = r.broken(off, fmt.Sprintf("aliases add more than %d values", maxCopied), "write them out")
	case r.count > maxNodes:
		r.fatal = r.tooMany(off)
	}
	return r.fatal == nil
}

// tag returns the explicit tag of y as written. yaml.v3 does not tell of a
// bare "!", which would drop the negation of `when: ! path("x")`.
func (r *yamlReader) tag(y *yaml.Node, off int) string {
	if y.Style&yaml.TaggedStyle != 0 {
		return y.Tag
	}
	rest := r.data[off:]
	if y.Anchor != "" {
		rest = bytes.TrimLeft(bytes.TrimPrefix(rest, []byte("&"+y.Anchor)), " \t\r\n")
	}
	if len(rest) > 0 && rest[0] == '!' {
		return "!"
	}
	return ""
}

func scalar(n *node, y *yaml.Node) {
	n.text = y.Value
	n.plain = y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	n.cut = n.plain && y.LineComment != ""
	switch y.Tag {
	case "!!null":
		n.kind = nullNode
	case "!!bool":
		n.kind = boolNode
	case "!!int", "!!float":
		n.kind, n.num = numberNode, yamlNumber(y)
		if f, ok := n.num.(float64); ok && (math.IsInf(f, 0) || math.IsNaN(f)) {
			n.fault(fault{pos: n.pos, message: fmt.Sprintf("%s is not a finite number", y.Value)})
		}
	default:
		n.kind = textNode
	}
}

// yamlNumber reads what yaml.v3 resolved to a number.
func yamlNumber(y *yaml.Node) any {
	if i, err := strconv.Atoi(y.Value); err == nil && y.Value[0] != '0' {
		return i
	}
	var v any
	if err := y.Decode(&v); err != nil {
		return math.NaN()
	}
	switch v := v.(type) {
	case int, float64:
		return v
	case uint64:
		return float64(v)
	}
	return math.NaN()
}
