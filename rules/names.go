package rules

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// nameTest compares the subject with names: on tool events the canonical name
// and, if host is set, the host's own.
type nameTest struct {
	names []string
	tool  bool
	host  bool
}

func (n *nameTest) eval(f *hook.Facts, why *string) hook.Tri {
	if !n.tool {
		s := f.Subject()
		say(why, "the subject is ", s)
		return hook.TriOf(slices.Contains(n.names, s))
	}
	say(why, "the tool is ", f.Event.Tool)
	return hook.TriOf(slices.Contains(n.names, f.Event.Tool) || n.host && slices.Contains(n.names, f.Event.HostTool))
}

// nameTerm matches exact names. A canonical name needs no look at the host's:
// Normal has seen to it.
func nameTerm(names []string, tool bool) term {
	list := func(field string) string {
		if len(names) == 1 {
			return field + " == " + quote(names[0])
		}
		return field + " in " + quoteList(names)
	}
	t := &nameTest{names: names, tool: tool}
	if !tool {
		return term{t, list("subject"), names}
	}
	expr := list("tool")
	if slices.ContainsFunc(names, func(n string) bool { return !hook.KnownTool(n) }) {
		t.host = true
		expr += " || " + list("host_tool")
	}
	return term{t, expr, names}
}

// wordTest tests a name with a glob or a regex: on tool events the canonical
// name and, if host is set, the host's own; else the subject.
type wordTest struct {
	match func(string) hook.Tri
	what  string
	tool  bool
	host  bool
}

func (w *wordTest) eval(f *hook.Facts, why *string) hook.Tri {
	name := f.Event.Tool
	if !w.tool {
		name = f.Subject()
	}
	t := w.match(name)
	if t == hook.No && w.host && f.Event.HostTool != name {
		t = w.match(f.Event.HostTool)
	}
	if why != nil {
		*why = w.what + [...]string{" does not fit ", " took too long on ", " fits "}[t] + name
	}
	return t
}

// MCPTools stands for all tools of MCP servers in Pattern.Subjects. Any other
// name there that begins with mcp__ stands for the tool of this name and for
// all whose names go on with __.
const MCPTools = mcpPrefix + "*"

const mcpPrefix = "mcp__"

// mcpSubject is the longest such name that covers a glob.
func mcpSubject(glob string) string {
	literal, _, star := strings.Cut(glob, "*")
	if !star {
		return glob
	}
	if at := strings.LastIndex(literal, "__"); at > len("mcp") {
		return literal[:at]
	}
	return MCPTools
}

// isMCP reports whether text is of the form mcp__server, mcp__server__* or
// mcp__server__tool.
func isMCP(text string) bool {
	server, ok := strings.CutPrefix(text, "mcp__")
	return ok && server != "" && strings.IndexFunc(server, func(r rune) bool {
		return !isWordRune(r) && r != '-' && r != '*'
	}) < 0
}

// mcpGlob returns the globs that text stands for: the name itself, and where
// it names a server all of its tools.
func mcpGlob(text string) []string {
	if strings.HasSuffix(text, "*") {
		return []string{text}
	}
	return []string{text, text + "__*"}
}

// mcpTerm matches the tools of a server, or one tool. Servers may have __ in
// their names: a guard on mcp__a covers mcp__a__b__c, a grant does not.
func mcpTerm(text string, grant bool) (term, error) {
	var globs []wild
	var exprs []string
	for _, g := range mcpGlob(text) {
		w, err := compileWild(g)
		if err != nil {
			return term{}, err
		}
		globs = append(globs, w)
		exprs = append(exprs, "glob("+quote(g)+", tool)")
	}
	if !strings.Contains(text, "*") {
		exprs[0] = "tool == " + quote(text)
	}
	expr := strings.Join(exprs, " || ")
	deeper, deep := wild{}, false
	if server := strings.TrimPrefix(strings.TrimSuffix(text, "__*"), "mcp__"); grant && !strings.Contains(server, "__") {
		w, err := compileWild("mcp__" + server + "__*__*")
		if err != nil {
			return term{}, err
		}
		deeper, deep = w, true
		expr = "(" + expr + ") && !glob(" + quote("mcp__"+server+"__*__*") + ", tool)"
	}
	match := func(name string) hook.Tri {
		hit := slices.ContainsFunc(globs, func(w wild) bool { return w.match(name) })
		return hook.TriOf(hit && !(deep && deeper.match(name)))
	}
	return term{&wordTest{match: match, what: text, tool: true}, expr, []string{mcpSubject(text)}}, nil
}

func isWordRune(r rune) bool {
	return r == '_' || r < 0x80 && isAlnum(byte(r))
}
