package rules

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules/shell"
)

// Idle reports that no entry of the indexes can fit any event with the tool
// and the input of ev, as far as that can be told without an allocation.
// subject is what ev.MatchSubject returns.
func Idle(ev *hook.Event, subject string, indexes ...*Index) bool {
	l := &look{dir: ev.Dir}
	for _, x := range indexes {
		if x != nil && !x.idle(ev, l, subject) {
			return false
		}
	}
	return !l.decisive || l.straight()
}

func (x *Index) idle(ev *hook.Event, l *look, subject string) bool {
	var room [4]*bucket
	for _, b := range x.buckets(subject, ev.HostTool, room[:0]) {
		if !b.idle(ev, l, x.wrappers) {
			return false
		}
	}
	return true
}

func (b *bucket) idle(ev *hook.Event, l *look, wrappers []string) bool {
	if len(b.always) > 0 || !b.idleHost(ev) || !b.idleTexts(ev) {
		return false
	}
	if len(b.heads)+len(b.begins.entries) == 0 && b.access == 0 {
		return true
	}
	l.closer(ev)
	if ev.Tool == "Bash" || ev.Tool == "PowerShell" {
		head, _, _ := strings.Cut(l.command, " ")
		if l.command == "" || slices.Contains(wrappers, head) {
			return false
		}
		if b.heads[head] != nil && !(l.exact && !b.starting(l.command, nil)) || b.begins.find(l.command, nil) {
			return false
		}
	}
	return b.access&l.access == 0 || b.idleFiles(l)
}

func (b *bucket) idleHost(ev *hook.Event) bool {
	if len(b.hosts) == 0 {
		return true
	}
	url, _ := ev.Input.Get("url")
	if url == nil {
		return true
	}
	text, _ := url.(string)
	host := plainHost(text)
	return host != "" && !b.hosted(host)
}

func (b *bucket) idleTexts(ev *hook.Event) bool {
	for i := range b.texts {
		t := &b.texts[i]
		if t.field != "command" && t.field != "prompt" && !strings.HasPrefix(t.field, "input.") {
			return false
		}
		if t.anyIn(textOf(ev, t.field)) {
			return false
		}
	}
	return true
}

// idleFiles reports that no file of the event, as it is written, is one that
// entries ask about.
func (b *bucket) idleFiles(l *look) bool {
	if !l.listed {
		return false
	}
	l.decisive = true
	for _, name := range l.names[:l.n] {
		var p plainPath
		if !p.set(l.dir, name, b) {
			return false
		}
	}
	return true
}

// look is what a first look at an event tells, for all indexes.
type look struct {
	dir    string
	looked bool // closer was called

	command string      // of Bash, if it is one plain command, else ""
	exact   bool        // no word of command is looked past
	access  hook.Access // what the event may do to files
	listed  bool        // names has all of them
	names   [8]string
	n       int

	// decisive: of its files, as they are written, no entry asks. It is idle
	// unless a symlink leads elsewhere.
	decisive bool
}

// closer finds the command and the files of an event.
func (l *look) closer(ev *hook.Event) {
	if l.looked {
		return
	}
	l.looked = true
	switch ev.Tool {
	case "Bash":
		if l.command, l.exact = shell.Plain(ev.Input.Text("command")); l.command != "" {
			l.ofCommand()
		}
	case "PowerShell":
	case "Read":
		l.access = rd
		l.ofInput(&ev.Input)
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		l.access = wr
		l.ofInput(&ev.Input)
	default:
		l.access = inputAccess(ev)
	}
}

// add takes the name of a file; false if there are too many.
func (l *look) add(name string) bool {
	if l.n == len(l.names) {
		return false
	}
	l.names[l.n] = name
	l.n++
	return true
}

// ofCommand takes the words of a plain command that may be files.
func (l *look) ofCommand() {
	if strings.IndexByte(l.command, ' ') < 0 {
		return
	}
	options := strings.Contains(l.command, " -")
	row, words, ok := plainRow(l.command)
	l.access = rw
	if row != nil {
		l.access = row.access(options)
	}
	if !ok || row != nil && !row.simple(options) {
		return
	}
	for words != "" {
		var word string
		word, words, _ = strings.Cut(words, " ")
		if word == "--" {
			return // what follows are no options
		}
		if strings.HasPrefix(word, "-") {
			_, word, _ = strings.Cut(word, "=")
		}
		if word != "" && !l.add(word) {
			return
		}
	}
	l.listed = true
}

// ofInput takes the files that the input of a file tool names.
func (l *look) ofInput(input *hook.Object) {
	for _, m := range input.Members() {
		if !slices.Contains(pathFields, m.Name) {
			continue
		}
		name, ok := input.View()[m.Name].(string)
		if !ok || !l.add(name) {
			return
		}
	}
	l.listed = l.n > 0
}

// straight reports that no file of the event is reached through a symlink.
func (l *look) straight() bool {
	for _, name := range l.names[:l.n] {
		var p plainPath
		if !p.set(l.dir, name, nil) || !straight(p.name()) {
			return false
		}
	}
	return true
}

// inputAccess is what the call of a tool that is neither a shell nor one of
// the file tools may do to files.
func inputAccess(ev *hook.Event) hook.Access {
	if slices.Contains(readTools, ev.Tool) {
		return rd
	}
	for name, v := range ev.Input.View() {
		text, _ := v.(string)
		if slices.Contains(pathFields, name) || slices.Contains(patchFields, name) && strings.Contains(text, "*** ") {
			return rw
		}
	}
	if !eachField(ev.Input.View(), 0, func(string, hook.Access) bool { return false }) {
		return rw
	}
	return 0
}
