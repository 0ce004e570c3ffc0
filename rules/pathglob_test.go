package rules

import (
	"path"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
	"pgregory.net/rapid"
)

// TestGuessesCoverWhatTheyMayBe: a name that a pattern of the shell matches
// and a rule covers is one that the rule may cover, by the pattern alone.
func TestGuessesCoverWhatTheyMayBe(t *testing.T) {
	segment := rapid.StringMatching(`[ab.]{0,2}[*?]?[ab.]{1,2}|[*]`)
	name := rapid.StringMatching(`[.]?[ab]{1,3}`)
	rapid.Check(t, func(t *rapid.T) {
		s := scopeFor(false)
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "*", "**", ".a", "a*", "?b", "[ab]", "b.a", ".*"}), 1, 3).Draw(t, "rule"), "/")
		if rapid.Bool().Draw(t, "rooted") {
			text = "//" + text
		}
		rule, err := compilePath(text, &s)
		if err != nil {
			return
		}
		glob := "/p/" + strings.Join(rapid.SliceOfN(segment, 1, 3).Draw(t, "glob"), "/")
		file := "/p/" + strings.Join(rapid.SliceOfN(name, 1, 3).Draw(t, "file"), "/")
		if rapid.IntRange(0, 2).Draw(t, "same") == 0 {
			file = strings.NewReplacer("*", "a", "?", "b").Replace(glob)
		}
		if ok, _ := path.Match(glob, file); !ok || path.Clean(file) != file || leadingDot(glob, file) {
			return
		}
		f := Analyze(hook.Event{Name: hook.PreToolUse, Dir: "/p"})
		if rule.covers(&hook.Path{Clean: file, Real: file, Known: true}, f) && !rule.mayCover(glob, f) {
			t.Fatalf("%s covers %s, which %s may be", text, file, glob)
		}
	})
}

// leadingDot reports that a wildcard would have to match a dot at the start
// of a segment, which it does not in a shell.
func leadingDot(glob, file string) bool {
	names := strings.Split(file, "/")
	for i, s := range strings.Split(glob, "/") {
		if strings.HasPrefix(names[i], ".") && !strings.HasPrefix(s, ".") {
			return true
		}
	}
	return false
}

func TestMayCover(t *testing.T) {
	s := scopeFor(false)
	f := Analyze(hook.Event{Name: hook.PreToolUse, Dir: "/p"})
	for _, c := range []struct {
		rule, glob string
		want       bool
	}{
		{".env", "/p/.e*", true}, {".env", "/p/*", false}, {".env", "/p/*.env", false}, {".env", "/p/[.]env", false}, {".env", "/p/?env", false},
		{".env", "/p/**/.env", true}, {".env", "/q/.env", false}, {".ENV", "/p/.e*", true}, {".env", "/p/.E*", true},
		{"//**/pawl.yaml", "/q/p*.yaml", true}, {"//**/pawl.yaml", "/q/*", true}, {"//**/pawl.yaml", "/q/x*", false},
		{"src/**", "/p/s*", false}, {"src/**", "/p/s*/x", true}, {"src/**", "/p/src/*", true},
		{"//**/.pawl", "/q/.pawl/*", true}, {"//**/.pawl", "/q/**/.pawl/x", true}, {"//**/.pawl", "/q/**/**.go", false}, {"//**/.pawl", "/q/a/*/c", false},
		{".env", anyPath, true}, {"//**/pawl.yaml", anyPath, true}, {"src/**", anyPath, true},
		{"a[0-9].txt", "/p/a?.txt", true}, {"*.key", "/p/x*", true}, {"*.key", "/p/*.pem", false},
	} {
		rule, err := compilePath(c.rule, &s)
		if err != nil {
			t.Fatal(err)
		}
		if got := rule.mayCover(c.glob, f); got != c.want {
			t.Errorf("%s and %s: %v, want %v", c.rule, c.glob, got, c.want)
		}
	}
}

func FuzzGlobAutomaton(f *testing.F) {
	for _, seed := range []string{"/p/**/a*[!x]", `\`, "[", "**", "/[]a]", "/*", "?"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, glob string) {
		if len(glob) > maxAutomaton {
			return
		}
		all := newAutomaton()
		all.many(anyChar)
		if !meet(globAutomaton(glob), all) {
			t.Errorf("%q matches nothing", glob)
		}
	})
}

// TestManyPatterns: a flood of patterns hides none.
func TestManyPatterns(t *testing.T) {
	p := newPlace(t)
	named := p.scope(false)
	named.Named = true
	rule := mustPermission(t, "Edit(//**/pawl.yaml)", named)
	flood := "rm " + strings.Repeat("/a/b/c/d/e/f/x*y ", 5000)
	if got := rule.Match(p.facts("Bash", map[string]any{"command": flood + "p*.yaml"})); got != hook.Unknown {
		t.Errorf("many patterns: got %v", got)
	}
	words := "foo " + strings.Repeat("x ", 500)
	if got := rule.Match(p.facts("Bash", map[string]any{"command": words + "pawl.yaml"})); got != hook.Unknown {
		t.Errorf("many words: got %v", got)
	}
}
