package hook

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The events of seed 1 and what a block means on each: the table is the one
// place that knows.
func TestEventTable(t *testing.T) {
	if n := len(EventNames()); n != 33 {
		t.Errorf("%d events, want 33", n)
	}
	blocks := "UserPromptSubmit UserPromptExpansion PreToolUse PermissionRequest PostToolBatch TaskCreated ConfigChange " +
		"WorktreeCreate WorktreeRemove PreCompact PreModelSwitch Elicitation ElicitationResult InstructionsLoaded Notification"
	goOn := "Stop SubagentStop TaskCompleted TeammateIdle"
	for _, name := range EventNames() {
		i, ok := Lookup(EventName(name))
		if !ok || i.Name != EventName(name) {
			t.Errorf("%s is not found", name)
		}
		if has(blocks, name) != i.Has(CanBlock) || has(goOn, name) != i.Has(CanGoOn) {
			t.Errorf("%s: a block stops %v, goes on %v", name, i.Has(CanBlock), i.Has(CanGoOn))
		}
		if i.ExitTwo == ExitDeny && !i.Deciding() {
			t.Errorf("%s: exit code 2 denies what cannot be denied", name)
		}
	}
	if i, ok := Lookup("HostsOwn"); ok || !i.Has(CanBlock) {
		t.Error("an event of the host's own may be blocked")
	}
}

func has(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

func TestToolNames(t *testing.T) {
	for alias, want := range map[string]string{"Task": "Agent", "run_shell_command": "Bash", "shell": "Bash", "Bash": "Bash", "write_file": "Write", "replace": "Edit", "mcp__a__b": "mcp__a__b", "MultiEdit": "MultiEdit"} {
		if got := CanonicalTool(alias); got != want {
			t.Errorf("%s is %s, want %s", alias, got, want)
		}
	}
	for name, want := range map[string]bool{"Bash": true, "Task": true, "bash": false, "shell": false, "Nope": false} {
		if KnownTool(name) != want {
			t.Errorf("%s is known: %v", name, !want)
		}
	}
	seen := map[string]string{}
	for _, row := range tools {
		for _, n := range append([]string{row.name}, row.aliases...) {
			if other, twice := seen[n]; twice {
				t.Errorf("%s stands for %s and %s", n, other, row.name)
			}
			seen[n] = row.name
		}
	}
}

func object(raw string, members ...Member) Object {
	return NewObject([]byte(raw), members, nil)
}

// B081, B083: one line, the bytes of numbers kept, & left alone, unknown
// members kept, typed fields win.
func TestEventJSON(t *testing.T) {
	ev := Event{
		Name: PreToolUse, Session: "s", Dir: "/d", Tool: "Bash", HostTool: "shell", Time: time.Unix(0, 0),
		Input: object("{\n \"id\": 9007199254740993, \"command\": \"a && b\" }", Member{"id", []byte("9007199254740993")}),
		More:  object(`{"session_id":"old","x":1e400,"cwd":"/old"}`, Member{"session_id", []byte(`"old"`)}, Member{"x", []byte("1e400")}),
	}
	got := string(ev.JSON())
	want := `{"event":"PreToolUse","hook_event_name":"PreToolUse","session_id":"s","cwd":"/d","timestamp":"1970-01-01T00:00:00Z","tool_name":"shell",` +
		`"tool_input":{"id":9007199254740993,"command":"a && b"},"x":1e400}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The host's own event member of FileChanged is not overwritten.
// Any number of members is encoded in one pass, into the bytes that it needs.
func TestLine(t *testing.T) {
	ms := []Member{{Name: "hook_event_name", Raw: []byte(`"Other"`)}}
	for i := range 1000 {
		ms = append(ms, Member{Name: strconv.Itoa(i), Raw: []byte("{\n}")})
	}
	f := &Facts{Event: Event{Name: Stop, More: NewObject([]byte("{}"), ms, nil)}}
	line := f.Line()
	if !bytes.HasPrefix(line, []byte(`{"event":"Stop","hook_event_name":"Stop",`)) || !bytes.HasSuffix(line, []byte(`"999":{}}`+"\n")) {
		t.Errorf("%s", line)
	}
	if bytes.Count(line, []byte("\n")) != 1 || &line[0] != &f.Line()[0] {
		t.Error("not one line, or encoded twice")
	}
}

func TestEventJSONOfFileChanged(t *testing.T) {
	ev := Event{Name: FileChanged, Subject: "/d/f", More: object(`{"event":"change"}`, Member{"event", []byte(`"change"`)})}
	if got, want := string(ev.JSON()), `{"hook_event_name":"FileChanged","file_path":"/d/f","event":"change"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := ev.MatchSubject(); got != "f" {
		t.Errorf("a matcher tests %q, want the base name", got)
	}
}

func TestTriLaws(t *testing.T) {
	all := []Tri{No, Unknown, Yes}
	for _, a := range all {
		if a.Not().Not() != a {
			t.Errorf("not not %v", a)
		}
		for _, b := range all {
			if a.And(b) != a.Not().Or(b.Not()).Not() {
				t.Errorf("de Morgan: %v %v", a, b)
			}
		}
	}
	if Unknown.Not() != Unknown || No.Or(Unknown) != Unknown || Yes.And(Unknown) != Unknown {
		t.Error("an Unknown got lost")
	}
}

func TestProceed(t *testing.T) {
	for v, want := range map[Verdict]bool{None: true, Allow: true, Ask: false, Defer: false, Deny: false} {
		if got := (Decision{Verdict: v}).Proceed(); got != want {
			t.Errorf("%v: %v", v, got)
		}
	}
	d := Decision{Halted: true}
	if d.Proceed() || d.Reason() == "" {
		t.Error("a halted decision proceeds, or says nothing")
	}
}

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{"pretooluse": "PreToolUse", "PreToolUze": "PreToolUse", "PreCommit": "PreCompact", "Zebra": "", "stop": "Stop", "": ""} {
		if got := Nearest(word, EventNames()); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestFieldReader(t *testing.T) {
	s := Spec{ID: "h", Type: "x", Pos: Position{File: "f", Line: 1, Col: 1}, Fields: []Field{
		{Name: "text", Value: 5, Pos: Position{File: "f", Line: 2, Col: 3}}, {Name: "list", Value: []any{"a", nil}, Pos: Position{File: "f", Line: 3, Col: 3}}, {Name: "comand", Value: "x", Pos: Position{File: "f", Line: 4, Col: 3}},
	}}
	r := s.Read()
	r.Text("text")
	list, _ := r.Texts("list")
	r.MustText("command")
	var got []string
	for _, d := range r.Done() {
		got = append(got, d.Error())
	}
	want := []string{
		"f:2:3: h.text: expected a string, got the number 5",
		"f:3:3: h.list: item 1: expected a string, got nothing (null) (quote it)",
		`f:1:1: h: missing "command": a hook of type x needs it`,
		`f:4:3: h.comand: unknown key "comand" in a hook of type x (did you mean "command"?)`,
	}
	if !slices.Equal(got, want) || !slices.Equal(list, []string{"a"}) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A rule is called one: nobody who writes it sees its type. Its keys, and those
// that every entry has, are known.
func TestFieldsOfARule(t *testing.T) {
	spec := Spec{ID: "rules.a", Type: "expr", Rule: true, Fields: []Field{{Name: "mach", Value: "Bash"}, {Name: "onFailur", Value: "block"}}}
	r := spec.Read()
	r.MustText("decision")
	r.Word("mach", "x", "y")
	r.MustText("onFailur")
	r.Word("onFailur", "stop", "go")
	r.Word("onFailur", "stop", "go")
	var got []string
	for _, d := range r.Done() {
		got = append(got, d.Error())
	}
	want := []string{
		`rules.a: missing "decision": a rule needs it`,
		`rules.a.mach: expected one of x, y, got "Bash"`,
		`rules.a.onFailur: expected one of stop, go, got "block"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	r = spec.Read()
	got = nil
	for _, d := range r.Done() {
		got = append(got, d.Error())
	}
	want = []string{
		`rules.a.mach: unknown key "mach" in a rule (did you mean "match"?)`,
		`rules.a.onFailur: unknown key "onFailur" in a rule (did you mean "onFailure"?)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestPrintable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Printable(rapid.String().Draw(t, "text"))
		for _, r := range s {
			if unsafeRune(r) {
				t.Fatalf("%q holds %q", s, r)
			}
		}
		if Printable(s) != s {
			t.Fatalf("%q is escaped twice", s)
		}
	})
	if got := Printable("a\x1b]0;x\a\u202eb\xff"); got != `a\x1b]0;x\a\u202eb`+"\ufffd" {
		t.Errorf("got %q", got)
	}
}

func TestAsNoVerdict(t *testing.T) {
	plain := errors.New("x")
	if n := AsNoVerdict(plain); n.Cause != CauseError || !errors.Is(n, plain) {
		t.Errorf("%+v", n)
	}
	if n := AsNoVerdict(Fail(CauseTimeout, "late: %w", plain)); n.Cause != CauseTimeout || !errors.Is(n, plain) {
		t.Errorf("%+v", n)
	}
}
