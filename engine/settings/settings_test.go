package settings

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// parse reads text as a project file called name.
func parse(name, text string) File {
	src := hook.Source{Layer: hook.Project, Dir: "/p"}
	if strings.HasPrefix(name, "settings") || name == "hooks.json" {
		src.Style = hook.Claude
	}
	return ParseFile(name, []byte(text), src)
}

// words writes a File in short, a line for each thing in it.
func words(f File) string {
	var b strings.Builder
	for _, s := range f.Specs {
		fmt.Fprintf(&b, "%s %s %d:%d", s.ID, s.Event, s.Pos.Line, s.Pos.Col)
		if s.Type != "" {
			fmt.Fprintf(&b, " type=%s", s.Type)
		}
		for _, t := range []struct {
			name string
			hook.Text
		}{{"matcher", s.Matcher}, {"if", s.If}, {"when", s.When}, {"within", s.Within}} {
			if t.Pos.Line > 0 {
				fmt.Fprintf(&b, " %s=%q@%d:%d", t.name, t.Value, t.Pos.Line, t.Pos.Col)
			}
		}
		if s.Timeout != 0 {
			fmt.Fprintf(&b, " timeout=%v", s.Timeout)
		}
		if s.Message != "" {
			fmt.Fprintf(&b, " message=%q", s.Message)
		}
		for _, w := range []struct {
			on   bool
			word string
		}{{s.Observe, "observe"}, {s.Once, "once"}, {s.Async, "async"}, {s.Rewake, "rewake"}} {
			if w.on {
				b.WriteString(" " + w.word)
			}
		}
		if s.OnFailure != 0 || s.Unknown != 0 || s.Group != 0 {
			fmt.Fprintf(&b, " onFailure=%d unknown=%d group=%d", s.OnFailure, s.Unknown, s.Group)
		}
		for _, f := range s.Fields {
			fmt.Fprintf(&b, " %s=%#v@%d:%d", f.Name, f.Value, f.Pos.Line, f.Pos.Col)
		}
		if s.Broken != nil {
			b.WriteString(" BROKEN")
		}
		b.WriteByte('\n')
	}
	for _, p := range f.Permissions {
		fmt.Fprintf(&b, "%s %s %q@%d:%d", p.ID, p.Verdict, p.Text.Value, p.Text.Pos.Line, p.Text.Pos.Col)
		if p.Broken != nil {
			b.WriteString(" BROKEN")
		}
		b.WriteByte('\n')
	}
	for _, p := range f.Policies {
		fmt.Fprintf(&b, "policy %q@%d:%d\n", p.Value, p.Pos.Line, p.Pos.Col)
	}
	b.WriteString(complaints(f))
	if f.Broken {
		b.WriteString("BROKEN\n")
	}
	return b.String()
}

func complaints(f File) string {
	var b strings.Builder
	for _, d := range f.Diagnostics {
		d.Pos.File = "f"
		fmt.Fprintf(&b, "%s: %v\n", d.Severity, d)
	}
	return b.String()
}

// places checks that every text stands where its position says.
func places(t *testing.T, text string, f File) {
	t.Helper()
	lines := strings.Split(text, "\n")
	check := func(pos hook.Position, value string) {
		t.Helper()
		if pos.Line == 0 || value == "" || strings.ContainsAny(value, "\n\"'") {
			return
		}
		rest := lines[pos.Line-1][pos.Col-1:]
		if !strings.HasPrefix(rest, value) && !strings.HasPrefix(rest[1:], value) && rest[0] != '&' {
			t.Errorf("%v: no %q but %q", pos, value, rest)
		}
	}
	for _, s := range f.Specs {
		for _, x := range []hook.Text{s.Matcher, s.If, s.When, s.Within} {
			check(x.Pos, x.Value)
		}
		for _, x := range s.Fields {
			value, _ := x.Value.(string)
			check(x.Pos, value)
		}
	}
	for _, p := range f.Permissions {
		check(p.Text.Pos, p.Text.Value)
	}
	for _, p := range f.Policies {
		check(p.Pos, p.Value)
	}
}

// row is one text and all that is made of it.
type row struct {
	name, file, text, want string
}

func run(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			file := r.file
			if file == "" {
				file = "pawl.yaml"
			}
			f := parse(file, r.text)
			places(t, r.text, f)
			got := words(f)
			if want := strings.TrimLeft(r.want, "\n"); got != want {
				t.Errorf("text:\n%s\ngot:\n%s\nwant:\n%s", r.text, got, want)
			}
		})
	}
}

// quote writes s as a JSON string.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}
