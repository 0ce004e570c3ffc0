package authorcmd

import (
	"bufio"
	"bytes"
	stdflag "flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/policytest"
)

var update = stdflag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

// sheet is a console that writes to memory.
func sheet(width int, colour bool) (*cli.Console, *bytes.Buffer) {
	var b bytes.Buffer
	return &cli.Console{Out: bufio.NewWriter(&b), Err: &b, Getenv: func(string) string { return "" }, Width: width, Paint: cli.Paint(colour)}, &b
}

func sampleEvent() hook.Event {
	return hook.Event{
		Name: hook.PreToolUse, Tool: "Bash", HostTool: "run_shell_command", Dir: "/repo", Mode: "default",
		Input: engine.Input("command", "cd 'my src' && X=1 && sudo rm -rf \"$DIR\" # \x1b]0;title\x07", "description", "clean up, thoroughly: everything that a build may have left behind"),
	}.Normal()
}

func sampleDecision() hook.Decision {
	project := hook.Source{Layer: hook.Project, File: "/repo/pawl.yaml"}
	at := func(line int) hook.Position { return hook.Position{File: "/repo/pawl.yaml", Line: line, Col: 5} }
	return hook.Decision{
		Event: hook.PreToolUse, Verdict: hook.Deny,
		Reasons: []string{"use trash-put, so that a person can take it back when it was not meant to go"},
		Notices: []string{"the input was changed by hooks.PreToolUse[0].hooks[0]"},
		Context: []string{"two lines\nfor the model"},
		Steps: []hook.Step{
			{Hook: "rules.no-rm", Type: "expr", Source: project, Pos: at(12), Status: hook.Ran, Verdict: hook.Deny, Duration: 3210, Detail: "rm -rf $DIR matches"},
			{Hook: "hooks.PreToolUse[0].hooks[0]", Type: "command", Source: project, Pos: at(31), Status: hook.Failed, Cause: hook.CauseTimeout, Duration: 10 * time.Second, Detail: "no answer within 10s, the process group was ended; see the log of the hook for what it did until then"},
			{Hook: "hooks.PreToolUse[1].hooks[0]", Type: "permission", Source: hook.Source{Layer: hook.Plugin, Name: "lint"}, Status: hook.Observed, Would: hook.Ask, Duration: 88 * time.Microsecond},
			{Hook: "rules.prod", Source: project, Pos: at(40), Status: hook.Skipped, Detail: "a hook before it denied"},
			{Hook: "rules.later", Source: project, Pos: at(44), Status: hook.Skipped, Detail: "a hook before it denied"},
			{Hook: "rules.unsure", Type: "expr", Source: project, Pos: at(46), Status: hook.Ran, Detail: "$DIR is not a literal"},
			{Hook: "rules.env", Source: project, Pos: at(50), Status: hook.NotMatch, Detail: "tool is Bash, not Edit or Write"},
		},
	}
}

func TestAccountGolden(t *testing.T) {
	for _, tt := range []struct {
		width  int
		colour bool
	}{{60, false}, {200, false}, {0, false}, {100, true}} {
		c, out := sheet(tt.width, tt.colour)
		a := account{c: c, root: "/repo"}
		ev := sampleEvent()
		a.event(ev, "claude")
		a.shell(ev)
		a.steps(sampleDecision().Steps)
		a.decision(sampleDecision())
		if err := c.Flushed(); err != nil {
			t.Fatal(err)
		}
		if tt.width > 0 {
			for line := range bytes.Lines(out.Bytes()) {
				if n := cli.Columns(string(bytes.TrimRight(line, "\n"))); n > tt.width {
					t.Errorf("width %d: a line takes %d: %s", tt.width, n, line)
				}
			}
		}
		golden(t, fmt.Sprintf("explain_%d_%v.golden", tt.width, tt.colour), out.Bytes())
	}
}

func TestReportGolden(t *testing.T) {
	text := []byte("rules:\n  - name: a\n    match: Bahs(rm *)\n    decison: deny\n")
	at := func(line, col int) hook.Position { return hook.Position{File: "/repo/pawl.yaml", Line: line, Col: col} }
	found := findings{
		diags: []hook.Diagnostic{
			{Severity: hook.Error, Pos: at(4, 5), Path: "rules[0].decison", Message: `unknown key "decison"`, Advice: `did you mean "decision"?`},
			{Severity: hook.Warning, Pos: at(3, 12), Path: "rules[0].match", Message: `no tool of that name is known, so that it is read as a regular expression over names of tools`, Advice: `did you mean "Bash"?`},
			{Severity: hook.Note, Message: "no file, no place"},
		},
		hooks: []engine.Hook{{Spec: hook.Spec{ID: "rules.a", Pos: at(2, 5), Timeout: 1500 * time.Millisecond, Source: hook.Source{File: "/repo/pawl.yaml"}}}},
		rules: 2, files: map[string]bool{"/repo/pawl.yaml": true},
	}
	for _, width := range []int{60, 200} {
		c, out := sheet(width, false)
		r := report{account{c: c, root: "/repo"}, map[string][]byte{"/repo/pawl.yaml": text}, true}
		r.text(found)
		if err := c.Flushed(); err != nil {
			t.Fatal(err)
		}
		golden(t, fmt.Sprintf("check_%d.golden", width), out.Bytes())
	}
}

func TestTestViewGolden(t *testing.T) {
	turn := policytest.Turn{Event: sampleEvent(), Decision: sampleDecision(), Root: "/repo"}
	for _, width := range []int{60, 200} {
		c, out := sheet(width, false)
		v := testView{c: c}
		for _, res := range []policytest.Result{
			{File: "a_test.yaml", Line: 3, Name: "ls", Status: policytest.Passed},
			{File: "a_test.yaml", Line: 4, Name: "cd x", Status: policytest.Passed},
			{File: "policies/with/a/long/path/pawl_test.yaml", Line: 12, Name: "a name that is \x1b[31mlong, and of which only as much is shown as there is room for", Status: policytest.Failed,
				Problems: []string{"event 2: wanted none, got deny: use trash-put, so that a person can take it back when it was not meant to go"}, Turns: []policytest.Turn{turn, turn}},
			{File: "b_test.lua", Status: policytest.Errored, Problems: []string{"b_test.lua:2:9: syntax error near \"=\""}},
			{File: "c_test.lua", Line: 1, Name: "last", Status: policytest.Passed},
		} {
			v.tell(res)
		}
		v.endFile()
		cover := policytest.Coverage{Total: 12, Reached: 10, Unreached: []policytest.Unit{
			{ID: "rules.no-rm", Pos: hook.Position{File: "/repo/pawl.yaml", Line: 12, Col: 5}},
			{ID: "hooks.PreToolUse[0].hooks[0]", Pos: hook.Position{File: "/repo/pawl.yaml", Line: 31, Col: 9}, Matched: true},
		}}
		v.coverage(cover)
		v.counts(policytest.Report{Passed: 3, Failed: 1, Errored: 1, Coverage: cover}, true)
		if err := c.Flushed(); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			if n := cli.Columns(string(bytes.TrimRight(line, "\n"))); n > width {
				t.Errorf("width %d: a line takes %d: %s", width, n, line)
			}
		}
		golden(t, fmt.Sprintf("test_%d.golden", width), out.Bytes())
	}
}
