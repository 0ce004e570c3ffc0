package logview

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	stdflag "flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/audit"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = stdflag.Bool("update", false, "rewrite the golden files")

var start = time.Date(2026, 2, 1, 12, 0, 0, 7_000_000, time.UTC)

// samples are records of all kinds, a minute apart.
func samples() []audit.Record {
	rule := func(id, verdict string, took time.Duration) audit.Run {
		return audit.Run{ID: id, Source: "project", File: "/repo/pawl.yaml", Status: "ran", Verdict: verdict, Duration: took}
	}
	all := []audit.Record{
		{Session: "6f1c-a", Event: "SessionStart", Subject: "startup", Verdict: "none", Duration: 41 * time.Microsecond},
		{Session: "6f1c-a", Event: "PreToolUse", Tool: "Bash", Subject: "go test ./...", Verdict: "allow", Duration: 120 * time.Microsecond, Hooks: []audit.Run{rule("go", "allow", 900)}},
		{Session: "6f1c-a", Event: "PreToolUse", Tool: "Bash", Subject: "cd build && sudo rm -rf / # and all that lies below it, with no way to get it back", Verdict: "deny", Duration: 220 * time.Microsecond,
			Reasons: []string{"rm is for good; use trash-put instead, so that a person can take it back when it was not meant to go"}, Hooks: []audit.Run{rule("rules.no-rm", "deny", 3210), rule("no-sudo", "deny", 1000)}},
		{Session: "77aa-b", Event: "PreToolUse", Tool: "mcp__production__deploy_everything", Verdict: "ask", Duration: 1250 * time.Millisecond, Reasons: []string{"this reaches the servers"},
			Hooks: []audit.Run{rule("hooks.PreToolUse[1].hooks[0]", "ask", 800), {ID: "lint", Source: "plugin:go", Status: "failed", Verdict: "none", Cause: "timeout", Duration: 1200 * time.Millisecond}}},
		{Session: "77aa-b", Event: "PreToolUse", Tool: "Bash", Subject: "printf '\x1b]0;title\x07'\nls 长长长", Rewritten: "ls", Verdict: "none", Duration: 90 * time.Microsecond, Missed: 3,
			Hooks: []audit.Run{{ID: "try-it", Source: "user", File: "/home/me/.config/pawl/pawl.yaml", Status: "observed", Verdict: "none", Would: "deny", Duration: 2000}}},
		{Session: "77aa-b", Event: "PermissionRequest", Tool: "Write", Subject: "/srv/prod/app.conf", Verdict: "deny", Error: "pawl.yaml:3:1: unknown key", Duration: 2 * time.Millisecond},
		{Session: "77aa-b", Event: "Stop", Verdict: "none", Halted: true, Reasons: []string{"enough for today"}, Duration: 5 * time.Millisecond, Cut: true},
	}
	for i := range all {
		all[i].ID, all[i].Time.Time, all[i].Root = fmt.Sprintf("01KGC4E0M000000000000000%02d", i), start.Add(time.Duration(i)*time.Minute), "/repo"
	}
	return all
}

// write makes a log of records, and returns its path.
func write(t *testing.T, records []audit.Record) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, r := range records {
		if err := enc.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// show runs the command on the log at path.
func show(t *testing.T, width int, v view) (out, errs string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	c := &cli.Console{Out: bufio.NewWriter(&o), Err: &e, Width: width}
	v.now = func() time.Time { return start.Add(time.Hour) }
	err = v.run(context.Background(), c)
	c.Out.Flush()
	return o.String(), e.String(), err
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

func TestViews(t *testing.T) {
	path := write(t, samples())
	for _, width := range []int{0, 40, 79, 80, 100, 200} {
		for _, stats := range []bool{false, true} {
			out, errs, err := show(t, width, view{file: path, last: -1, stats: stats})
			if err != nil || errs != "" {
				t.Fatal(err, errs)
			}
			for line := range strings.SplitSeq(out, "\n") {
				if width > 0 && cli.Columns(line) > width {
					t.Errorf("at width %d: %d cells: %s", width, cli.Columns(line), line)
				}
				if strings.TrimRight(line, " ") != line || cli.Escape(line) != line {
					t.Errorf("at width %d: %q", width, line)
				}
			}
			name := map[bool]string{false: "table", true: "stats"}[stats]
			switch width {
			case 0:
				golden(t, name+"_piped.golden", out)
			case 40:
				golden(t, name+"_narrow.golden", out)
			case 100:
				golden(t, name+"_wide.golden", out)
			}
		}
	}
}

// Colours change nothing but the colour.
func TestColours(t *testing.T) {
	path := write(t, samples())
	for _, stats := range []bool{false, true} {
		plain, _, _ := show(t, 100, view{file: path, last: -1, stats: stats})
		var o bytes.Buffer
		c := &cli.Console{Out: bufio.NewWriter(&o), Err: os.Stderr, Width: 100, Paint: true}
		v := view{file: path, last: -1, stats: stats, now: func() time.Time { return start }}
		if err := v.run(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		c.Out.Flush()
		var bare strings.Builder
		for i, part := range strings.Split(o.String(), "\x1b[") {
			if i > 0 {
				_, part, _ = strings.Cut(part, "m")
			}
			bare.WriteString(part)
		}
		if bare.String() != plain || o.String() == plain {
			t.Errorf("got\n%s\nwant\n%s", bare.String(), plain)
		}
	}
}

// --json prints the bytes of the file.
func TestJSON(t *testing.T) {
	path := write(t, samples())
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if out, _, err := show(t, 80, view{file: path, last: -1, json: true}); err != nil || out != string(want) {
		t.Errorf("%v, got\n%s\nwant\n%s", err, out, want)
	}
	out, _, err := show(t, 80, view{file: path, last: -1, json: true, stats: true})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "stats.json", out)
}

func TestFilter(t *testing.T) {
	path := write(t, samples())
	now := start.Add(time.Hour)
	since := func(text string) filter {
		var f filter
		if err := f.setSince(text, now); err != nil {
			t.Fatal(err)
		}
		return f
	}
	for name, tt := range map[string]struct {
		view
		want string // the minutes of the records
	}{
		"all":              {view{}, "0123456"},
		"session":          {view{filter: filter{session: "77aa-b"}}, "3456"},
		"start of it":      {view{filter: filter{session: "6f"}}, "012"},
		"event":            {view{filter: filter{event: "pretooluse"}}, "1234"},
		"tool":             {view{filter: filter{tool: "Bash"}}, "124"},
		"tool by alias":    {view{filter: filter{tool: "run_shell_command"}}, "124"},
		"verdict":          {view{filter: filter{verdict: "deny"}}, "25"},
		"hook":             {view{filter: filter{hook: "no-rm"}}, "2"},
		"hook in full":     {view{filter: filter{hook: "rules.no-rm"}}, "2"},
		"no such hook":     {view{filter: filter{hook: "no-r"}}, ""},
		"two at once":      {view{filter: filter{tool: "Bash", verdict: "none"}}, "4"},
		"since minutes":    {view{filter: since("57m")}, "3456"},
		"since days":       {view{filter: since("1d")}, "0123456"},
		"since a time":     {view{filter: since("12:05")}, "56"},
		"since a date":     {view{filter: since("2026-02-02")}, ""},
		"since an instant": {view{filter: since("2026-02-01T14:05:00+02:00")}, "56"},
		"last":             {view{last: 2}, "56"},
		"last of a kind":   {view{last: 2, filter: filter{tool: "Bash"}}, "24"},
		"more than all":    {view{last: 99}, "0123456"},
	} {
		if tt.last == 0 {
			tt.last = -1
		}
		tt.file, tt.json = path, true
		out, _, err := show(t, 0, tt.view)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for line := range strings.Lines(out) {
			var r audit.Record
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			got += fmt.Sprint(r.Time.Minute())
		}
		if got != tt.want {
			t.Errorf("%s: records %q, want %q", name, got, tt.want)
		}
	}
}

func TestLimit(t *testing.T) {
	for want, v := range map[int]view{
		100: {last: -1}, 10: {last: -1, follow: true}, 7: {last: 7, json: true},
	} {
		if v.limit() != want {
			t.Errorf("%+v: %d, want %d", v, v.limit(), want)
		}
	}
	for _, v := range []view{{last: 0, follow: true}, {last: -1, json: true}, {last: -1, stats: true}, {last: -1, filter: filter{since: start}}} {
		if v.limit() != 0 {
			t.Errorf("%+v: %d, want all", v, v.limit())
		}
	}
}

func TestRefused(t *testing.T) {
	path := write(t, nil)
	for want, v := range map[string]view{
		"there is no log (pawl hook writes one with --audit": {file: path + "x"},
		"set HOME or XDG_STATE_HOME":                         {},
		"--stats and --follow do not go together":            {file: path, stats: true, follow: true},
	} {
		if _, _, err := show(t, 0, v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	var f filter
	for _, text := range []string{"", "h", "-1h", "0s", "0d", "-2d", "d", "1x", "2026-13-01", "25:00"} {
		if err := f.setSince(text, start); err == nil || !strings.Contains(err.Error(), "expected a time such as") {
			t.Errorf("since %q: %v", text, err)
		}
	}
	if err := f.setVerdict("block"); err == nil || !strings.Contains(err.Error(), `allow, ask, defer or deny, got "block"`) {
		t.Error(err)
	}
	v := view{}
	if err := v.setLast("-1"); err == nil {
		t.Error("-n -1 is no error")
	}
}

// The flags, by the command line.
func TestCommand(t *testing.T) {
	path := write(t, samples())
	for _, tt := range []struct {
		args string
		code int
		want string // in the output
	}{
		{"", 0, ":06:00  none   Stop"},
		{"-n 1 --json", 0, `{"time":"2026-02-01T12:06:00.007Z"`},
		{"--verdict deny --hook no-rm --since 2026-02-01 --session 6f --event PreToolUse --tool Bash -n 0 --json", 0, `{"time":"2026-02-01T12:02:00.007Z"`},
		{"--stats --json --file " + path, 0, `{"decisions":7,`},
		{"--verdict block", 2, `--verdict: expected none, allow, ask, defer or deny, got "block"`},
		{"--since never", 2, "--since: expected a time such as"},
		{"-n x", 2, `-n: expected a number, got "x"`},
		{"--follow --stats", 2, "do not go together"},
		{"more", 2, `unexpected argument "more"`},
		{"--file " + path + "x", 1, "there is no log"},
		{"--help", 0, "-n N "},
	} {
		var out bytes.Buffer
		c := &cli.Console{Out: bufio.NewWriter(&out), Err: &out, Getenv: func(string) string { return "" }}
		p := cli.Program{Name: "pawld", Commands: []cli.Command{Command(func() string { return path })}}
		code := p.Run(c, append([]string{"log"}, strings.Fields(tt.args)...))
		if code != tt.code || !strings.Contains(out.String(), tt.want) {
			t.Errorf("log %s: exit code %d, want %d with %q:\n%s", tt.args, code, tt.code, tt.want, out.String())
		}
	}
}

func TestDamagedLines(t *testing.T) {
	path := write(t, samples())
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data = append(data[:200:200], append([]byte("\n"), data...)...) // a torn line first
	data = append(data, "{}\n[]\nnull\n"+strings.Repeat("x", 1<<20)+"\n"...)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, err := show(t, 0, view{file: path, last: -1})
	if want := "5 lines of the log cannot be read"; err != nil || !strings.Contains(errs, want) || strings.Count(out, "\n") < 7 {
		t.Errorf("%v, %q, want %q", err, errs, want)
	}
	if out, _, err := show(t, 0, view{file: path, last: -1, stats: true}); err != nil || !strings.Contains(out, "5 lines of the log that cannot be read") {
		t.Errorf("%v, %s", err, out)
	}
}
