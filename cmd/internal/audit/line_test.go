package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"pgregory.net/rapid"
)

func sample() Record {
	ev := hook.Event{Name: hook.PreToolUse, Session: "s1", Tool: "Bash", Input: engine.Input("command", "cd x && GITHUB_TOKEN=abc rm -rf /")}
	dec := hook.Decision{
		Verdict: hook.Deny, Reasons: []string{"use trash-put"}, Snapshot: "5f3a",
		Steps: []hook.Step{
			{Hook: "no-rm", Type: "expr", Source: hook.Source{Layer: hook.Project, File: "/p/pawl.yaml"}, Status: hook.Ran, Verdict: hook.Deny, Duration: 1500},
			{Hook: "lint", Source: hook.Source{Layer: hook.Plugin, Name: "go"}, Status: hook.Failed, Cause: hook.CauseTimeout, Duration: time.Second},
			{Hook: "try-it", Source: hook.Source{Layer: hook.User, File: "/h/pawl.yaml"}, Status: hook.Observed, Would: hook.Ask},
			{Hook: "later", Status: hook.Started},
			{Hook: "elsewhere", Status: hook.NotMatch}, {Hook: "spent", Status: hook.Skipped},
			{Hook: "silenced", Status: hook.Gated}, {Hook: "settings", Status: hook.Problem},
		},
	}
	r := Of(&ev, &dec, "/p", 42*time.Microsecond)
	r.Time.Time = time.Date(2026, 2, 1, 13, 0, 0, 7_900_000, time.FixedZone("", 3600))
	return r
}

func TestLine(t *testing.T) {
	r := sample().clean(redactor(t))
	r.ID = "01"
	const want = `{"time":"2026-02-01T12:00:00.007Z","id":"01","session":"s1","event":"PreToolUse","tool":"Bash",` +
		`"subject":"cd x && GITHUB_TOKEN=[secret] rm -rf /","verdict":"deny","reasons":["use trash-put"],"hooks":[` +
		`{"id":"no-rm","source":"project","file":"/p/pawl.yaml","status":"ran","verdict":"deny","duration_ns":1500},` +
		`{"id":"lint","source":"plugin:go","status":"failed","verdict":"none","cause":"timeout","duration_ns":1000000000},` +
		`{"id":"try-it","source":"user","file":"/h/pawl.yaml","status":"observed","verdict":"none","would":"ask","duration_ns":0},` +
		`{"id":"later","source":"managed","status":"started","verdict":"none","duration_ns":0}],` +
		`"duration_ns":42000,"snapshot":"5f3a","root":"/p"}` + "\n"
	if got := string(r.line()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSubject(t *testing.T) {
	for _, tt := range []struct {
		ev          hook.Event
		dec         hook.Decision
		what, final string
	}{
		{hook.Event{Name: hook.PreToolUse, Tool: "Read", Input: engine.Input("file_path", "/x", "limit", 1)}, hook.Decision{}, "Read /x", ""},
		{hook.Event{Name: hook.PreToolUse, Tool: "run_shell_command", Input: engine.Input("command", "ls")}, hook.Decision{}, "Bash ls", ""},
		{hook.Event{Name: hook.PostToolUse, Tool: "WebFetch", Input: engine.Input("url", "https://h", "prompt", "p")}, hook.Decision{}, "WebFetch https://h", ""},
		{hook.Event{Name: hook.PreToolUse, Tool: "mcp__x__y", Input: engine.Input("text", "private")}, hook.Decision{}, "mcp__x__y ", ""},
		{hook.Event{Name: hook.SessionStart, Subject: "startup"}, hook.Decision{}, " startup", ""},
		{hook.Event{Name: hook.UserPromptSubmit, Prompt: "private"}, hook.Decision{}, " ", ""},
		{hook.Event{Name: hook.PreToolUse, Tool: "Bash", Input: engine.Input("command", "rm x")}, hook.Decision{Input: engine.Input("command", "trash x")}, "Bash rm x", "trash x"},
	} {
		r := Of(&tt.ev, &tt.dec, "", 0)
		if got := r.Tool + " " + r.Subject; got != tt.what || r.Rewritten != tt.final {
			t.Errorf("%s: %q, rewritten %q; want %q, %q", tt.ev.Name, got, r.Rewritten, tt.what, tt.final)
		}
	}
	halt := Of(&hook.Event{}, &hook.Decision{Halted: true, StopReason: "enough"}, "", 0)
	if !halt.Halted || fmt.Sprint(halt.Reasons) != "[enough]" {
		t.Errorf("a halt: %+v", halt)
	}
}

// Of what does not fit, the hooks that count most are kept.
func TestCutHooks(t *testing.T) {
	r := Record{ID: "01", Time: Time{time.Now()}, Verdict: "deny"}
	for i := range 300 {
		r.Hooks = append(r.Hooks, Run{ID: fmt.Sprint("h", i), Verdict: "none", Status: "ran"})
	}
	r.Hooks[10].Verdict, r.Hooks[200].Cause, r.Hooks[250].Would, r.Hooks[299].Verdict = "allow", "exit", "defer", "deny"
	var got Record
	if err := json.Unmarshal(r.clean(redactor(t)).line(), &got); err != nil {
		t.Fatal(err)
	}
	var first []string
	for _, h := range got.Hooks[:5] {
		first = append(first, h.ID)
	}
	if fmt.Sprint(first) != "[h299 h250 h200 h10 h0]" || !got.Cut || len(got.Hooks) != stages[0].hooks {
		t.Errorf("%d hooks, first %v", len(got.Hooks), first)
	}
	if r.Hooks[0].ID != "h0" || r.Cut {
		t.Error("the caller's record has changed")
	}
}

// Any record is one line of valid JSON that is not too long.
func TestAnyRecord(t *testing.T) {
	hide := redactor(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			s := rapid.OneOf(rapid.String(), rapid.Just("\x00\x1b\n"), rapid.Just("\xff\xc3"), rapid.Just("长\u2028"), rapid.Just("<&>\"\\")).Draw(t, "s")
			return strings.Repeat(s, rapid.SampledFrom([]int{1, 1, 1, 5000}).Draw(t, "n"))
		})
		r := Record{Verdict: "none", Duration: time.Duration(rapid.Int64().Draw(t, "took"))}
		r.texts(func(string) string { return text.Draw(t, "text") })
		r.Reasons = rapid.SliceOfN(text, 0, 40).Draw(t, "reasons")
		r.Hooks = make([]Run, rapid.IntRange(0, 100).Draw(t, "hooks"))
		if len(r.Hooks) > 0 {
			r.Hooks[0] = Run{ID: text.Draw(t, "id"), File: text.Draw(t, "file")}
			for i := range r.Hooks {
				r.Hooks[i] = r.Hooks[0]
			}
		}
		line := r.clean(hide).line()
		if len(line) > MaxLine || !json.Valid(line) || bytes.IndexByte(line, '\n') != len(line)-1 {
			t.Fatalf("%d bytes: %.200q", len(line), line)
		}
	})
}

// No secret is in the line, in whatever field it was, and wherever the cut.
func TestAnyRecordHides(t *testing.T) {
	hide := redactor(t)
	rapid.Check(t, func(rt *rapid.T) {
		var all []string
		place := func() string {
			text, secrets := planted(rapid.SampledFrom(hiding).Draw(rt, "text").text)
			all = append(all, secrets...)
			before := rapid.IntRange(0, 1100).Draw(rt, "before")
			return strings.Repeat("é ", before/3) + text + strings.Repeat(" x", rapid.SampledFrom([]int{0, 1, sight}).Draw(rt, "after"))
		}
		r := Record{Reasons: []string{"", ""}, Hooks: make([]Run, rapid.IntRange(1, 4).Draw(rt, "hooks"))}
		r.texts(func(string) string {
			if rapid.IntRange(0, 4).Draw(rt, "plant") > 0 {
				return ""
			}
			return place()
		})
		line := r.clean(hide).line()
		var got Record
		if err := json.Unmarshal(line, &got); err != nil {
			rt.Fatal(err)
		}
		var seen strings.Builder
		got.texts(func(s string) string { seen.WriteString(marker.ReplaceAllString(s, "") + "\x00"); return s })
		for _, s := range all {
			if len(s) > 6 && strings.Contains(seen.String(), s[:len(s)/2+3]) {
				rt.Fatalf("shows half of %q: %s", s, line)
			}
		}
	})
}
