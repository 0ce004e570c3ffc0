package dialect

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

var (
	drawText  = rapid.SampledFrom([]string{"", "no", "two\nlines", "a && b <c>", "\x1b[31m", "\xff", "日本", "no such file"})
	drawTexts = rapid.SliceOfN(drawText, 0, 2)
)

// forEachEvent checks a law on every event, two of a host's own, and one
// that could not be told.
func forEachEvent(t *testing.T, law func(*rapid.T, hook.EventName)) {
	for _, name := range append(hook.EventNames(), "PreDeploy", "TaskStarted", "") {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { law(t, hook.EventName(name)) })
		})
	}
}

func drawObject(t *rapid.T, name string) hook.Object {
	texts := []string{"", `{}`, `{"command":"ls"}`, "{\n\"command\" : \"a && b\",\n\"n\": 9007199254740993}"}
	text := rapid.SampledFrom(texts).Draw(t, name)
	if text == "" {
		return hook.Object{}
	}
	o, err := answer.Payload([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// drawSpecific gives each field that the event has a value of its type.
func drawSpecific(t *rapid.T, name hook.EventName) (list []hook.Member) {
	values := map[string]string{
		"watchPaths": `["/srv/.env"]`, "reloadSkills": "true", "suppressOriginalPrompt": "true",
		"updatedPermissions": `[]`, "interrupt": "true", "action": `"accept"`, "content": `{"a":1}`,
		"worktreePath": `"/srv/trees/x"`,
	}
	info, _ := hook.Lookup(name)
	for _, field := range info.Specific {
		value, ok := values[field]
		if !ok {
			value = `"text"`
		}
		for range rapid.IntRange(0, 2).Draw(t, field) {
			list = append(list, hook.Member{Name: field, Raw: []byte(value)})
		}
	}
	return list
}

func drawDecision(t *rapid.T, name hook.EventName) hook.Decision {
	d := hook.Decision{
		Event:          name,
		Verdict:        hook.Verdict(rapid.IntRange(0, int(hook.Deny)).Draw(t, "verdict")),
		Reasons:        drawTexts.Draw(t, "reasons"),
		Halted:         rapid.Bool().Draw(t, "halted"),
		StopReason:     drawText.Draw(t, "stop reason"),
		Context:        drawTexts.Draw(t, "context"),
		Notices:        drawTexts.Draw(t, "notices"),
		Input:          drawObject(t, "input"),
		ContinueReason: drawText.Draw(t, "continue reason"),
		Retry:          rapid.Bool().Draw(t, "retry"),
		Quiet:          rapid.Bool().Draw(t, "quiet"),
		Bypassed:       rapid.Bool().Draw(t, "bypassed"),
		Specific:       drawSpecific(t, name),
	}
	if rapid.Bool().Draw(t, "with output") {
		d.Output = []byte(rapid.SampledFrom([]string{`"text"`, `{"a": 1}`, "null", "no json"}).Draw(t, "output"))
	}
	if o := drawObject(t, "metadata"); !o.Absent() {
		d.Metadata = []hook.Object{o}
	}
	return d
}

// A reply never loosens: read back by our own reader of answers, it is at
// least what was decided.
func TestNeverLoosens(t *testing.T) {
	forEachEvent(t, func(t *rapid.T, name hook.EventName) {
		dec := drawDecision(t, name)
		for _, d := range []Dialect{claude(), echo()} {
			r := d.Encode(hook.Event{Name: name}, dec)
			res, err := answer.Decode(name, answer.Output{Stdout: r.Stdout, Stderr: r.Stderr, Code: r.Code})
			if err != nil {
				t.Fatalf("%s: %v: %s", d.Name, err, r.Stdout)
			}
			if d.Name == claudeName && r.Code == 0 && len(res.Diagnostics) > 0 {
				t.Fatalf("our own reader finds %v: %s", res.Diagnostics, r.Stdout)
			}
			noLooser(t, d.Name, name, dec, res)
		}
	})
}

func noLooser(t *rapid.T, agent string, name hook.EventName, dec hook.Decision, res hook.Result) {
	info, _ := hook.Lookup(name)
	want, _ := settle(name, dec)
	silenceAsks := agent == claudeName && (name == hook.PermissionRequest || name == hook.Elicitation)
	heard := agent == echoName && info.Deciding() || agent == claudeName && !slices.Contains(deaf, name)
	switch {
	case !heard:
	case want == hook.Deny && res.Verdict != hook.Deny:
		t.Fatalf("a deny became %v", res.Verdict)
	case want >= hook.Ask && res.Verdict < hook.Ask && !silenceAsks:
		t.Fatalf("%v became %v", want, res.Verdict)
	case want >= hook.Ask && (res.Verdict == hook.Allow || slices.ContainsFunc(res.Specific, grants)):
		t.Fatalf("%v became %v with %v", want, res.Verdict, res.Specific)
	}
	if res.Verdict == hook.Allow && want != hook.Allow {
		t.Fatalf("%v became an allow", want)
	}
	if dec.Halted && info.Has(hook.CanGoOn) && (res.Verdict >= hook.Ask || !res.Halt || res.ContinueReason != "") {
		t.Fatalf("a halt became %+v", res)
	}
	if info.Has(hook.CanRewrite) && !dec.Input.Absent() && res.Verdict != hook.Deny && !res.Input.Equal(dec.Input) {
		t.Fatalf("a new input was lost: %s", res.Input.Raw())
	}
}

// grants reports whether a field of one event lets something happen.
func grants(m hook.Member) bool {
	return m.Name == "updatedPermissions" || m.Name == "content" || string(m.Raw) == `"accept"`
}

// A reply is nothing, one line of JSON, or the path of a worktree. Where
// Claude Code's schema has no hookSpecificOutput there is none.
func TestReplyShape(t *testing.T) {
	forEachEvent(t, func(t *rapid.T, name hook.EventName) {
		dec := drawDecision(t, name)
		for _, d := range All() {
			r := d.Encode(hook.Event{Name: name}, dec)
			if len(r.Stdout) == 0 || d.Name == claudeName && name == hook.WorktreeCreate {
				continue
			}
			if bytes.Count(r.Stdout, []byte("\n")) != 1 || !bytes.HasSuffix(r.Stdout, []byte("}\n")) {
				t.Fatalf("%s: not one line: %q", d.Name, r.Stdout)
			}
			o, err := answer.Parse(r.Stdout)
			if err != nil {
				t.Fatalf("%s: %v: %s", d.Name, err, r.Stdout)
			}
			specific, there := answer.Child(o, "hookSpecificOutput")
			if there && (slices.Contains(bare, name) || specific.Text("hookEventName") != string(name)) {
				t.Fatalf("%s on %s: %s", d.Name, name, r.Stdout)
			}
		}
	})
}

// Silence stays silence, except in the native format.
func TestSilence(t *testing.T) {
	for _, d := range []Dialect{claude(), echo()} {
		for _, name := range append(hook.EventNames(), "PreDeploy") {
			r := d.Encode(hook.Event{Name: hook.EventName(name)}, hook.Decision{})
			if len(r.Stdout) > 0 || r.Code != 0 || len(r.Stderr) > 0 && name != string(hook.WorktreeCreate) {
				t.Errorf("%s on %s: %+v", d.Name, name, r)
			}
		}
	}
}

// The native format reads what Event.JSON writes.
func TestNativeRoundTrip(t *testing.T) {
	forEachEvent(t, func(t *rapid.T, name hook.EventName) {
		text := func(label string) string {
			return rapid.SampledFrom([]string{"", "x", "a && b", "日本\n\"q\"", "/srv/.env"}).Draw(t, label)
		}
		if name == "" {
			name = "HostEvent"
		}
		ev := hook.Event{
			Name: name, Session: text("session"), Dir: text("dir"), Input: drawObject(t, "input"),
			Subject: text("subject"), Prompt: text("prompt"), Mode: text("mode"), Agent: text("agent"),
			Message: text("message"), StopActive: rapid.Bool().Draw(t, "active"),
		}
		switch info, _ := hook.Lookup(name); {
		case name.ToolEvent():
			ev.Subject, ev.Tool = "", rapid.SampledFrom([]string{"Bash", "shell", "mcp__a__b"}).Draw(t, "tool")
		case info.Subject == "":
			ev.Subject = ""
		case info.Subject == "agent_type":
			ev.Agent = ev.Subject // one member carries both
		}
		if rapid.Bool().Draw(t, "timed") {
			ev.Time = time.Unix(rapid.Int64Range(1, 4e9).Draw(t, "time"), 0).UTC()
		}
		if (name == hook.PreToolUse || name == hook.PermissionRequest) && ev.Input.Absent() {
			ev.Input, _ = answer.Parse([]byte("{}"))
		}
		ev = ev.Normal()
		o, err := answer.Parse(ev.JSON())
		if err != nil {
			t.Fatal(err)
		}
		got, diags, err := pawl().Decode(o)
		if err != nil || len(diags) > 0 && slices.Contains(hook.EventNames(), string(name)) {
			t.Fatalf("%v, %v: %s", err, diags, o.Raw())
		}
		same := got.Input.Equal(ev.Input)
		got.Input, got.More, ev.Input = hook.Object{}, hook.Object{}, hook.Object{}
		if !same || !equal(got, ev) {
			t.Fatalf("\n got %+v\nwant %+v", got, ev)
		}
	})
}

// equal compares the typed fields of two events without input.
func equal(a, b hook.Event) bool {
	return a.Name == b.Name && a.Session == b.Session && a.Dir == b.Dir && a.Tool == b.Tool && a.HostTool == b.HostTool &&
		a.Subject == b.Subject && a.Prompt == b.Prompt && a.Mode == b.Mode && a.Agent == b.Agent &&
		a.Message == b.Message && a.StopActive == b.StopActive && a.Time.Equal(b.Time)
}

// Whatever the message, decoding returns, and what it accepts can be passed
// on and decoded again to the same event.
func FuzzDecode(f *testing.F) {
	for _, d := range All() {
		for _, data := range messages(f, d.Name) {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := answer.Parse(data)
		if err != nil {
			return
		}
		for _, d := range All() {
			ev, _, err := d.Decode(o)
			if err != nil {
				continue
			}
			if ev.Name == "" || ev.Name.ToolEvent() && ev.Tool == "" {
				t.Fatalf("%s accepted %s as %+v", d.Name, data, ev)
			}
			again, err := answer.Parse(ev.JSON())
			if err != nil {
				t.Fatalf("%s: %v: %s", d.Name, err, ev.JSON())
			}
			if same, _, err := pawl().Decode(again); err != nil || same.Tool != ev.Tool || !same.Input.Equal(ev.Input) {
				t.Fatalf("%s: %v: %s", d.Name, err, ev.JSON())
			}
		}
	})
}
