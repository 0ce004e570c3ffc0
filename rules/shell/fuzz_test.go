package shell

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// No text panics, and what comes out is bounded and well formed.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"commands.tsv", "neighbours.tsv"} {
		for _, row := range readCases(f, name) {
			f.Add(row.command, row.pattern)
		}
	}
	f.Fuzz(func(t *testing.T, text, pattern string) {
		c := Parse(text, Options{})
		if len(c.List)+len(c.Possible) > maxCommands || len(c.Unknown) > 64 {
			t.Fatalf("%d commands, %d possible, %d doubts", len(c.List), len(c.Possible), len(c.Unknown))
		}
		for _, d := range c.Unknown {
			if d.Reason == "" || d.Offset < 0 || d.Offset > len(text)+1 {
				t.Fatalf("doubt %+v", d)
			}
			if d.Reason == "the text could not be followed" {
				t.Fatal("panicked inside")
			}
		}
		for _, x := range c.List {
			if x.Offset < 0 || x.Offset > len(text) {
				t.Fatalf("offset %d of %d", x.Offset, len(text))
			}
		}
		g := CompileGlob(pattern)
		guard, index, why := g.Match(c, false)
		if guard == hook.Yes && (index < 0 || index >= len(c.List)) || guard == hook.Unknown && why == "" {
			t.Fatalf("%v %d %q", guard, index, why)
		}
		if grant, _, _ := g.Match(c, true); grant == hook.Yes && guard == hook.No {
			t.Fatal("granted what is not matched")
		}
		if texts, all := startsOf(c); guard != hook.No && !all && g.Start() != "" {
			head, _, _ := strings.Cut(g.Start(), " ")
			for _, s := range texts {
				if s == head || strings.HasPrefix(s+" ", g.Start()+" ") {
					return
				}
			}
			t.Fatalf("matched without a start: %q in %q", g.Start(), texts)
		}
	})
}
