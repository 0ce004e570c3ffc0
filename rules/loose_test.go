package rules

import (
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// What the index cannot narrow is told, and only that.
func TestLoose(t *testing.T) {
	for _, c := range []struct {
		matcher, when string
		want          string // "" for narrow
	}{
		{"", "", ""},
		{"Bash", "", ""},
		{"Edit|Write", "", ""},
		{"mcp__server__*", "", ""},
		{"Bash(rm *)", "", ""},
		{"Bash(mkfs*)", "", ""},
		{`Bash(rm * "$HOME")`, "", ""},
		{"Edit(src/**)", "", ""},
		{"Write(*.env.*)", "", "Write"},
		{"Read(.env.*)", "", ""},
		{"WebFetch(domain:*.example.com)", "", ""},
		{"Bash(* --force)", "", "Bash"},
		{"Bash(rm *)|Bash(*x)", "", "Bash"},
		{"WebFetch(domain:*)", "", "WebFetch"},
		{".*Edit", "", "event"},
		{"", `permission_mode == "plan"`, ""},
		{"", `input.n > 3`, "event"},
		{"Bash", `input.n > 3`, "Bash"},
		{"Bash(rm *)", `input.n > 3`, ""},
	} {
		s := scopeFor(false)
		s.Event = hook.PreToolUse
		var own, cond []Key
		text, loose := hook.Text{Value: c.when}, c.when != ""
		if c.matcher != "" {
			p, diags := Matcher(hook.Text{Value: c.matcher}, s)
			if p == nil {
				t.Fatal(diags)
			}
			own, loose = p.Keys(), loose || p.Loose()
		}
		if c.when != "" {
			w, diags := When(text, s)
			if w == nil {
				t.Fatal(diags)
			}
			cond = w.Keys()
		}
		got := ""
		if d, ok := LooseNote(text, "x", Narrow(own, cond)); ok && loose {
			got = d.Message
		}
		want := ""
		if c.want != "" {
			want = "tested on every " + c.want + ": the index finds nothing in it that such an event must have"
		}
		if got != want {
			t.Errorf("%q when %q: %q, want %q", c.matcher, c.when, got, want)
		}
	}
}
