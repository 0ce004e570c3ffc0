package lua

import (
	"path"
	"slices"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

// command is one element of ev.commands.
type command struct {
	glua.LUserData
	cmd      *hook.Command
	possible bool
}

func commandFields() []function {
	return []function{
		{name: "text", args: "string", doc: "the command on one line, quotes removed"},
		{name: "name", args: "string", doc: "the program without its directory"},
		{name: "argv", args: "string[]", doc: "program and arguments; a word that cannot be told is as written"},
		{name: "wrappers", args: "string[]", doc: "sudo, env, …, outermost first"},
		{name: "raw", args: "string", doc: "as written"},
		{name: "dir", args: "string", doc: "current directory relative to the event's"},
		{name: "known", args: "boolean", doc: "every word is literal"},
		{name: "possible", args: "boolean", doc: "it is not certain that it runs"},
		{name: "env", args: "table", doc: "assignments before the command, by name"},
		{name: "redirects", args: "table[]", doc: "{op, path, reads, writes, known}"},
		{name: "flag", args: "fun(self: Command, ...: string): boolean, string?", doc: "has, or may have, one of these options; the second value says why it cannot be told"},
	}
}

// commandList lists what runs, and then what may run: a policy that looks
// for something bad, or that everything is good, wants both.
func (s *state) commandList(L *glua.LState, all hook.Commands) glua.LValue {
	n := len(all.List) + len(all.Possible)
	t := L.CreateTable(n, 0)
	s.charge(L, costTable+n*costKey)
	add := func(list []hook.Command, possible bool) {
		for i := range list {
			c := &command{cmd: &list[i], possible: possible}
			c.Value, c.Metatable = c, s.metas.command
			t.RawSetInt(t.Len()+1, &c.LUserData)
		}
	}
	add(all.List, false)
	add(all.Possible, true)
	return t
}

// doubt says why ev.commands may not be all that runs, or is false.
func doubt(all hook.Commands) glua.LValue {
	switch {
	case len(all.Unknown) > 0:
		return glua.LString(all.Unknown[0].Reason)
	case all.Opaque:
		return glua.LString("the text does not tell what it runs")
	}
	return glua.LFalse
}

func checkCommand(L *glua.LState) *command {
	if u, ok := L.Get(1).(*glua.LUserData); ok {
		if c, ok := u.Value.(*command); ok {
			return c
		}
	}
	L.RaiseError("expected a command of ev.commands, got a %s: write c:flag(…), with a colon", typeName(L.Get(1)))
	return nil
}

func commandIndex(L *glua.LState) int {
	e, s := checkCommand(L), of(L)
	c := e.cmd
	v := glua.LValue(glua.LNil)
	name := L.Get(2).String()
	switch name {
	case "text":
		v = glua.LString(c.Text)
	case "name":
		if len(c.Argv) > 0 {
			v = glua.LString(path.Base(c.Argv[0].Text))
		} else {
			v = glua.LString("")
		}
	case "raw":
		v = glua.LString(c.Raw)
	case "dir":
		v = glua.LString(c.Dir.Text)
	case "possible":
		v = glua.LBool(e.possible)
	case "known":
		v = glua.LBool(!slices.ContainsFunc(c.Argv, func(w hook.Word) bool { return !w.Known }))
	case "argv":
		words := make([]string, len(c.Argv))
		for i, w := range c.Argv {
			words[i] = w.Text
		}
		v = s.textList(L, words)
	case "wrappers":
		v = s.textList(L, c.Wrappers)
	case "env":
		t := L.CreateTable(0, len(c.Assigns))
		s.charge(L, costTable+costKey*len(c.Assigns))
		for _, a := range c.Assigns {
			t.RawSetString(a.Name, glua.LString(a.Value.Text))
		}
		v = t
	case "redirects":
		v = s.redirectList(L, c.Redirects)
	case "flag":
		v = s.metas.flag
	default:
		if hint := misspelt(name, commandFields()); hint != "" {
			L.RaiseError("a command has no field %q (%s)", name, hint)
		}
	}
	L.Push(v)
	return 1
}

func (s *state) textList(L *glua.LState, texts []string) glua.LValue {
	s.charge(L, costTable+2*costItem*len(texts))
	t := L.CreateTable(len(texts), 0)
	for i, text := range texts {
		t.RawSetInt(i+1, glua.LString(text))
	}
	return t
}

func (s *state) redirectList(L *glua.LState, list []hook.Redirect) glua.LValue {
	s.charge(L, costTable+len(list)*(costTable+5*costKey))
	t := L.CreateTable(len(list), 0)
	for i, r := range list {
		row := access(L, r.Access, r.Target.Known)
		row.RawSetString("op", glua.LString(r.Op))
		row.RawSetString("path", glua.LString(r.Target.Text))
		t.RawSetInt(i+1, row)
	}
	return t
}

func (s *state) pathList(L *glua.LState, list []hook.Path) glua.LValue {
	s.charge(L, costTable+len(list)*(costTable+5*costKey))
	t := L.CreateTable(len(list), 0)
	for i, p := range list {
		row := access(L, p.Access, p.Known)
		name := p.Clean
		if name == "" {
			name = p.Given
		}
		row.RawSetString("path", glua.LString(name))
		row.RawSetString("real", glua.LString(p.Real))
		t.RawSetInt(i+1, row)
	}
	return t
}

func access(L *glua.LState, a hook.Access, known bool) *glua.LTable {
	row := L.CreateTable(0, 5)
	row.RawSetString("reads", glua.LBool(a&hook.Reads != 0))
	row.RawSetString("writes", glua.LBool(a&hook.Writes != 0))
	row.RawSetString("known", glua.LBool(known))
	return row
}

// flag is c:flag("--force", "-f"): --name also as --name=value, -x also in a
// cluster of letters, nothing after --. Where a word may be anything it is
// true too, so that `if c:flag(…) then return deny(…)` holds.
func flag(L *glua.LState) int {
	c := checkCommand(L).cmd
	doubt := ""
	for _, w := range c.Argv[min(1, len(c.Argv)):] {
		if w.Known && w.Text == "--" {
			break
		}
		for i := 2; i <= L.GetTop(); i++ {
			if w.Known && hasFlag(w.Text, L.CheckString(i)) {
				L.Push(glua.LTrue)
				return 1
			}
		}
		if !w.Known && doubt == "" && mayBeFlag(w) {
			doubt = w.Text + " may be an option"
		}
	}
	if doubt != "" {
		L.Push(glua.LTrue)
		L.Push(glua.LString(doubt))
		return 2
	}
	L.Push(glua.LFalse)
	return 1
}

// mayBeFlag reports whether an unknown word may hold an option: not if its
// literal start is that of an operand, unless it may fall apart.
func mayBeFlag(w hook.Word) bool {
	return w.Prefix == "" || w.Prefix[0] == '-' || !strings.HasPrefix(w.Text, `"`)
}

func hasFlag(word, flag string) bool {
	if strings.HasPrefix(flag, "--") || len(flag) != 2 {
		rest, ok := strings.CutPrefix(word, flag)
		return ok && (rest == "" || rest[0] == '=')
	}
	return len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.IndexByte(word[1:], flag[1]) >= 0
}
