package dialect

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// messages returns the recorded messages of an agent by file name.
func messages(t testing.TB, agent string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(eventsDir, agent, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no messages of %s (%v)", agent, err)
	}
	all := map[string][]byte{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = data
	}
	return all
}

// Each message is recognized, read without a complaint, and keeps what its
// agent said when it is passed on.
func TestMessages(t *testing.T) {
	for _, d := range All() {
		seen := map[hook.EventName]bool{}
		for file, data := range messages(t, d.Name) {
			o := parse(t, data)
			if got := Detect(o); d.Name != "pawl" && got.Name != d.Name {
				t.Errorf("%s/%s: detected as %s", d.Name, file, got.Name)
			}
			ev, diags, err := d.Decode(o)
			if err != nil {
				t.Errorf("%s/%s: %v", d.Name, file, err)
			}
			_, known := hook.Lookup(ev.Name)
			if len(diags) > 0 && known {
				t.Errorf("%s/%s: %v", d.Name, file, diags)
			}
			if !strings.HasPrefix(file, string(ev.Name)) {
				t.Errorf("%s/%s: read as %s", d.Name, file, ev.Name)
			}
			if info, _ := hook.Lookup(ev.Name); info.Subject != "" && ev.MatchSubject() == "" && known && ev.Name != hook.ConfigChange {
				t.Errorf("%s/%s: no subject", d.Name, file)
			}
			seen[ev.Name] = true
			passedOn(t, file, ev)
		}
		for _, name := range hook.EventNames() {
			if d.Name == claudeName && !seen[hook.EventName(name)] {
				t.Errorf("no message for %s", name)
			}
		}
	}
}

// passedOn checks that a hook which gets ev.JSON sees every member.
func passedOn(t *testing.T, file string, ev hook.Event) {
	t.Helper()
	again := parse(t, ev.JSON())
	for _, m := range ev.More.Members() {
		var want, got fields
		want.raw("", m.Raw)
		got.raw("", again.RawOf(m.Name))
		if m.Name != "event" && !bytes.Equal(got.buf, want.buf) {
			t.Errorf("%s: %s is passed on as %s, it was %s", file, m.Name, got.buf, want.buf)
		}
	}
}

func TestNamed(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range All() {
		if got, ok := Named(d.Name); !ok || got.Name != d.Name || seen[d.Name] {
			t.Errorf("%q is not the name of one dialect", d.Name)
		}
		seen[d.Name] = true
	}
	if _, ok := Named("emacs"); ok {
		t.Error("emacs is no agent")
	}
}

func TestDetect(t *testing.T) {
	for _, row := range []struct{ message, want string }{
		{`{}`, "claude"},
		{`{"hook_event_name":"PreToolUse"}`, "claude"},
		{`{"event":"PreToolUse"}`, "echo"},
		{`{"event":"PreToolUse","hook_event_name":"PreToolUse"}`, "echo"},
		{`{"event":"change","hook_event_name":"FileChanged"}`, "claude"},
		{`{"event":"Stop","hook_event_name":"PreToolUse"}`, "claude"},
		{`{"event":7}`, "claude"},
		{`{"event":"Stop","hook_event_name":"Stop","transcript_path":"/t"}`, "claude"},
	} {
		if got := Detect(parse(t, []byte(row.message))); got.Name != row.want {
			t.Errorf("%s: detected as %s, want %s", row.message, got.Name, row.want)
		}
	}
}

func TestDecode(t *testing.T) {
	const pre = `{"hook_event_name":"PreToolUse",`
	for _, row := range []struct{ name, message, fault string }{
		{"plain", pre + `"tool_name":"Bash","tool_input":{"command":"ls"}}`, ""},
		{"argv", pre + `"tool_name":"Bash","tool_input":{"command":["ls","-l"]}}`, ""},
		{"null is absent", pre + `"tool_name":"Bash","tool_input":{},"cwd":null,"agent_type":null}`, ""},
		{"unknown members", pre + `"tool_name":"Bash","tool_input":{},"zzz":[{}]}`, ""},
		{"no name", `{"tool_name":"Bash"}`, `error: missing "hook_event_name" (send the name of the event)`},
		{"empty name", `{"hook_event_name":""}`, "error: hook_event_name: expected the name of an event, got a string"},
		{"name of another type", `{"hook_event_name":["Stop"]}`, "error: hook_event_name: expected the name of an event, got an array"},
		{"unknown event", `{"hook_event_name":"PreToolUs"}`, `warning: hook_event_name: unknown event "PreToolUs" (did you mean "PreToolUse"?)`},
		{"no tool", pre + `"tool_input":{}}`, `error: missing "tool_name" (an event of a tool needs it)`},
		{"empty tool", pre + `"tool_name":""}`, `error: missing "tool_name" (an event of a tool needs it)`},
		{"tool of another type", pre + `"tool_name":7,"tool_input":{}}`, "error: tool_name: expected a string, got 7"},
		{"input is text", pre + `"tool_name":"Bash","tool_input":"ls"}`, "error: tool_input: expected an object, got a string"},
		{"input is null", pre + `"tool_name":"Bash","tool_input":null}`, "error: tool_input: expected an object, got null"},
		{"lesser type", pre + `"tool_name":"Bash","tool_input":{},"cwd":7}`, "warning: cwd: expected a string, got 7"},
		{"flag", `{"hook_event_name":"Stop","stop_hook_active":"yes"}`, "warning: stop_hook_active: expected true or false, got a string"},
		{"subject", `{"hook_event_name":"SessionStart","source":{}}`, "warning: source: expected a string, got an object"},
		{"subject once", `{"hook_event_name":"SubagentStart","agent_type":1}`, "warning: agent_type: expected a string, got 1"},
		{"time", pre + `"tool_name":"Bash","tool_input":{},"timestamp":"today"}`, `warning: timestamp: expected a time, got "today" (write it as 2006-01-02T15:04:05Z)`},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, diags, err := claude().Decode(parse(t, []byte(row.message)))
			var faults []string
			for _, d := range diags {
				faults = append(faults, d.Severity.String()+": "+d.Error())
			}
			if err != nil {
				faults = append(faults, "error: "+err.Error())
			}
			if got := strings.Join(faults, "; "); got != row.fault {
				t.Errorf("got  %s\nwant %s", got, row.fault)
			}
		})
	}
}

// B064: two readers of a message must not see different events. Objects that
// answer.Parse did not make may still hold such names.
func TestDecodeVariants(t *testing.T) {
	for _, name := range []string{"Tool_Name", "tool_\u212aind", "\u017fession_id", "HOOK_EVENT_NAME", "Matcher", "Subagent_Name"} {
		members := []hook.Member{{Name: "event", Raw: []byte(`"SubagentStart"`)}, {Name: name, Raw: []byte(`"x"`)}}
		view := map[string]any{"event": "SubagentStart", name: "x"}
		_, _, err := echo().Decode(hook.NewObject([]byte("{}"), members, view))
		if variant := name != "tool_\u212aind"; (err != nil) != variant {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestDecodeEcho(t *testing.T) {
	read := func(file string) hook.Event {
		ev, _, err := echo().Decode(parse(t, messages(t, echoName)[file]))
		if err != nil {
			t.Fatal(err)
		}
		return ev
	}
	check := func(what, got, want string) {
		if t.Helper(); got != want {
			t.Errorf("%s is %q, want %q", what, got, want)
		}
	}
	ev := read("PreToolUse")
	check("tool", ev.Tool, "Bash")
	check("host tool", ev.HostTool, "shell")
	check("agent", ev.Agent, "builder")
	check("documented time", read("PreToolUse-documented").Time.String(), "2026-05-29 10:30:00 +0000 UTC")
	check("hint", read("SessionStart").Subject, "startup")
	check("subagent", read("SubagentStop").Subject, "researcher")
	check("subagent as agent", read("SubagentStop").Agent, "researcher")
	check("subagent's result", read("SubagentStop").Message, "four callers found")
	check("failure", read("StopFailure").Subject, "max_iterations")
	check("host's own", read("TaskStarted").Subject, "write the tests")
}

func TestFailure(t *testing.T) {
	const reason = "pawl.yaml:3:5: unknown key \x1b[31m"
	for _, row := range []struct {
		name     hook.EventName
		known    bool
		failOpen bool
		code     int
	}{
		{hook.PreToolUse, true, false, 2},
		{hook.PreToolUse, true, true, 0},
		{hook.PermissionRequest, true, false, 2},
		{hook.WorktreeCreate, true, false, 2},
		{"PreDeploy", true, false, 2},
		{"", false, false, 2},
		{hook.Stop, false, false, 2},
		{"", false, true, 0},
		{hook.Stop, true, false, 0}, // B061: a block would mean "go on"
		{hook.SubagentStop, true, false, 0},
		{hook.SessionEnd, true, false, 0},
		{hook.PostToolUse, true, false, 0},
		{hook.SessionStart, true, false, 0},
	} {
		for _, d := range All() {
			r := Failure(d, row.name, row.known, reason, row.failOpen)
			if r.Code != row.code {
				t.Errorf("%s, %s, known %v: exit code %d, want %d", d.Name, row.name, row.known, r.Code, row.code)
			}
			if !strings.Contains(string(r.Stderr), "pawl.yaml:3:5") || strings.Contains(string(r.Stderr), "\x1b") {
				t.Errorf("%s, %s: stderr %q", d.Name, row.name, r.Stderr)
			}
			if d.Name != "pawl" {
				if block := strings.Contains(string(r.Stdout), "deny") || strings.Contains(string(r.Stdout), `"block"`); block && row.code == 0 {
					t.Errorf("%s, %s: goes on and blocks: %s", d.Name, row.name, r.Stdout)
				}
				continue
			}
			o := parse(t, r.Stdout)
			if deny := o.Text("decision") == "deny"; deny != (row.code == 2) {
				t.Errorf("%s: %s", row.name, r.Stdout)
			}
		}
	}
	dialog := Failure(claude(), hook.PermissionRequest, true, reason, false)
	if !strings.Contains(string(dialog.Stdout), `"behavior":"deny"`) { // its exit code decides nothing
		t.Errorf("a dialog was answered %s", dialog.Stdout)
	}
}
