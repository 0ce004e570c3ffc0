package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
)

// edit inserts text at an offset of a source.
type edit struct {
	at   int
	text string
}

// mergeHooks adds group, a matcher group as JSON on one line, to the hooks
// of each event in src, the JSON of a settings file, unless one of them
// calls Pawl already. Every byte of src stays, in its order. It returns the
// events it added to.
func mergeHooks(src []byte, events []string, group string) ([]byte, []string, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		src = []byte("{}\n")
	}
	root, err := parseTree(src)
	if err != nil {
		return nil, nil, err
	}
	if root.kind != '{' {
		return nil, nil, placed(src, root.start, errors.New("expected an object"))
	}
	w := newWriter(src, root)
	hooks := root.member("hooks")
	if hooks != nil && hooks.kind != '{' {
		return nil, nil, placed(src, hooks.start, errors.New("hooks: expected an object"))
	}
	var added, members []string
	for _, event := range events {
		groups := hooks.member(event)
		switch {
		case groups == nil:
			members = append(members, cli.QuoteJSON(event)+": ["+group+"]")
		case groups.kind != '[':
			return nil, nil, placed(src, groups.start, errors.New("hooks."+event+": expected a list"))
		case callsPawl(groups):
			continue
		default:
			w.insert(groups, []string{group})
		}
		added = append(added, event)
	}
	switch {
	case len(members) == 0:
	case hooks != nil:
		w.insert(hooks, members)
	default:
		w.insert(&root, []string{w.object("hooks", members)})
	}
	return w.result(), added, nil
}

// callsPawl reports whether a handler somewhere in n runs "pawl hook".
func callsPawl(n *jsonNode) bool {
	if command := n.member("command"); command != nil {
		words := strings.Fields(strings.NewReplacer(`"`, "", `'`, "").Replace(command.text))
		if args := n.member("args"); args != nil {
			words = []string{command.text}
			for _, a := range args.kids {
				words = append(words, a.text)
			}
		}
		for i, word := range words {
			name := filepath.Base(strings.ReplaceAll(word, `\`, "/"))
			name = strings.TrimSuffix(name, ".exe")
			if (name == "pawl" || name == "pawld") && slices.Contains(words[i+1:], "hook") {
				return true
			}
		}
	}
	return slices.ContainsFunc(n.kids, func(kid jsonNode) bool { return callsPawl(&kid) })
}

// jsonWriter collects the insertions into one source, in its own style.
type jsonWriter struct {
	src     []byte
	newline string
	unit    string // of indentation
	oneLine bool   // the whole source is on one line that has content
	edits   []edit
}

func newWriter(src []byte, root jsonNode) *jsonWriter {
	w := &jsonWriter{src: src, newline: "\n", unit: "  "}
	if bytes.Contains(src, []byte("\r\n")) {
		w.newline = "\r\n"
	}
	if len(root.kids) > 0 {
		first := w.indentAt(root.kids[0].start)
		w.oneLine = !w.breaks(root.start, root.kids[0].start)
		if !w.oneLine && first != "" {
			w.unit = first
		}
	}
	return w
}

// object returns a member that holds an object with one member a line, for
// the root of the source.
func (w *jsonWriter) object(name string, members []string) string {
	if w.oneLine {
		return cli.QuoteJSON(name) + ": {" + strings.Join(members, ", ") + "}"
	}
	inner := w.newline + w.unit + w.unit
	return cli.QuoteJSON(name) + ": {" + inner + strings.Join(members, ","+inner) + w.newline + w.unit + "}"
}

// insert adds items at the end of the object or list n.
func (w *jsonWriter) insert(n *jsonNode, items []string) {
	if len(n.kids) == 0 {
		w.fill(n, items)
		return
	}
	last := n.kids[len(n.kids)-1]
	if !w.breaks(n.start, n.kids[0].start) {
		w.edits = append(w.edits, edit{last.end, ", " + strings.Join(items, ", ")})
		return
	}
	// A comment after the last item stays beside it.
	sep := w.newline + w.indentAt(last.start)
	w.edits = append(w.edits, edit{last.end, ","}, edit{w.contentEnd(n), sep + strings.Join(items, ","+sep)})
}

// fill puts items into an empty object or list.
func (w *jsonWriter) fill(n *jsonNode, items []string) {
	at := w.contentEnd(n)
	if at == n.start+1 && (w.oneLine || n.kind == '[') {
		w.edits = append(w.edits, edit{at, strings.Join(items, ", ")})
		return
	}
	outer := w.newline + w.indentAt(n.start)
	text := outer + w.unit + strings.Join(items, ","+outer+w.unit)
	if !w.breaks(at, n.end) {
		text += outer
	}
	w.edits = append(w.edits, edit{at, text})
}

// contentEnd returns the offset after the last byte before the end of n that
// is not white space.
func (w *jsonWriter) contentEnd(n *jsonNode) int {
	return n.start + len(bytes.TrimRight(w.src[n.start:n.end-1], " \t\r\n"))
}

func (w *jsonWriter) breaks(from, to int) bool {
	return bytes.IndexByte(w.src[from:to], '\n') >= 0
}

// indentAt returns the white space that the line of an offset starts with.
func (w *jsonWriter) indentAt(offset int) string {
	line := w.src[bytes.LastIndexByte(w.src[:offset], '\n')+1 : offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// result returns the source with all insertions.
func (w *jsonWriter) result() []byte {
	slices.SortStableFunc(w.edits, func(a, b edit) int { return a.at - b.at })
	var out bytes.Buffer
	from := 0
	for _, e := range w.edits {
		out.Write(w.src[from:e.at])
		out.WriteString(e.text)
		from = e.at
	}
	out.Write(w.src[from:])
	return out.Bytes()
}
