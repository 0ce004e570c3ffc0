package shell

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// show is one line for each command: wrappers, text, directory, redirects.
func show(c hook.Commands) string {
	var b strings.Builder
	for _, x := range c.List {
		fmt.Fprintf(&b, "%v %s", x.Wrappers, x.Text)
		for _, a := range x.Assigns {
			fmt.Fprintf(&b, " +%s=%s", a.Name, a.Value.Text)
		}
		for _, r := range x.Redirects {
			fmt.Fprintf(&b, " %s%s", r.Op, r.Target.Text)
		}
		if !x.Dir.Known || x.Dir.Text != "." {
			fmt.Fprintf(&b, " @%s:%v", x.Dir.Text, x.Dir.Known)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"", ""},
		{"ls  -l ", "[] ls -l\n"},
		{"sudo env A=1 rm x", "[] sudo env A=1 rm x\n[sudo] env A=1 rm x\n[sudo env] rm x +A=1\n"},
		{"A=1 B=$X rm x", "[] rm x +A=1 +B=$X\n"},
		{"git -C d push", "[] git push\n"},
		{"docker --context c compose -f f exec web rm x", "[] docker compose exec web rm x\n[docker compose exec] rm x @docker compose exec:false\n"},
		{"/bin/rm x", "[] rm x\n"},
		{"ls > a 2>&1 < b", "[] ls >a <b\n"},
		{"ls &> a >| b <> c", "[] ls &>a >|b <>c\n"},
		{"> a", "[]  >a\n"},
		{"{ ls; } > a", "[]  >a\n[] ls\n"},
		{"cd a && cd b; ls", "[] cd a\n[] cd b @a:true\n[] ls @a/b:true\n"},
		{"cd $X; ls", "[] cd $X\n[] ls @$X:false\n"},
		{"cd /a; ls; cd; ls", "[] cd /a\n[] ls @/a:true\n[] cd @/a:true\n[] ls @~:false\n"},
		{"(cd a; ls); ls", "[] cd a\n[] ls @a:true\n[] ls\n"},
		{"env -C a ls", "[] env -C a ls\n[env] ls @a:true\n"},
		{"if x; then cd a; fi; ls", "[] x\n[] cd a\n[] ls @a:false\n"},
		{"for f in a b; do rm $f; done", "[] rm a\n[] rm b\n"},
		{"ls $(rm x)", "[] rm x\n[] ls $(rm x)\n"},
		{"ssh h 'cd /a; ls'", "[] ssh h cd /a; ls\n[ssh] cd /a @ssh:false\n[ssh] ls @/a:true\n"},
	} {
		if got := show(Parse(row.text, Options{})); got != row.want {
			t.Errorf("%q:\n%swant\n%s", row.text, got, row.want)
		}
	}
}

func TestOffsets(t *testing.T) {
	text := "true; sudo rm x && bash -c 'rm y'"
	var got []int
	for _, c := range Parse(text, Options{}).List {
		got = append(got, c.Offset)
	}
	if want := []int{0, 6, 11, 19, 27}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestParseArgv(t *testing.T) {
	for _, row := range []struct {
		argv []string
		want hook.Tri
	}{
		{[]string{"rm", "x"}, hook.Yes},
		{[]string{"bash", "-lc", "ls; rm x"}, hook.Yes},
		{[]string{"sudo", "rm", "$X"}, hook.Yes},
		{[]string{"echo", "$(rm x)"}, hook.No}, // no shell reads it
		{[]string{"echo", "; rm x"}, hook.No},
		{[]string{"bash", "-c", "$X"}, hook.Unknown},
		{[]string{"bash", strings.Repeat("x", maxText)}, hook.Unknown},
		{nil, hook.No},
	} {
		if got, _, why := CompileGlob("rm *").Match(ParseArgv(row.argv, Options{}), false); got != row.want {
			t.Errorf("%.60q: got %v (%s), want %v", row.argv, got, why, row.want)
		}
	}
}

// A row of the user is followed, and takes the place of a built-in one.
func TestOptionsWrappers(t *testing.T) {
	o := Options{Wrappers: []Wrapper{{Name: "corp-run", Values: "q queue", Operands: 1}, {Name: "timeout", Operands: 2}}}
	for text, want := range map[string]hook.Tri{
		"corp-run -q fast job rm x": hook.Yes,
		"corp-run job echo rm x":    hook.No,
		"timeout 1 2 rm x":          hook.Yes,
	} {
		if got, _, why := CompileGlob("rm *").Match(Parse(text, o), false); got != want {
			t.Errorf("%q: got %v (%s), want %v", text, got, why, want)
		}
	}
}

// startsOf collects what Starts gives: texts, and heads of which nothing more
// is known.
func startsOf(c hook.Commands) (texts []string, all bool) {
	add := func(s string) { texts = append(texts, s) }
	all = Starts(c, add, add)
	return texts, all
}

func TestGlobStarts(t *testing.T) {
	texts, all := startsOf(Parse("sudo /bin/rm x; my-tool ls; git -C d push; rm $X", Options{}))
	if want := []string{"sudo /bin/rm x", "rm x", "/bin/rm x", "my-tool ls", "git push", "git -C d push", "rm", "ls"}; all || !slices.Equal(texts, want) {
		t.Errorf("got %q %v, want %q", texts, all, want)
	}
	if _, all := startsOf(Parse("$X y", Options{})); !all {
		t.Error("an unknown program may be anything")
	}
	for pattern, want := range map[string]string{"rm *": "rm", "rm:*": "rm", "rm*": "", "*": "", "npm test": "npm test", "npm run pr*": "npm run", "A=1 x": "", "echo \"a\"": ""} {
		if got := CompileGlob(pattern).Start(); got != want {
			t.Errorf("%q: got %q, want %q", pattern, got, want)
		}
	}
}

// A variable has a certain value only where nothing can have changed it.
func TestVariables(t *testing.T) {
	for text, want := range map[string]hook.Tri{
		"A=ls; $A x":                              hook.No,
		"A=ls; A=rm eval '$A x'":                  hook.Unknown,
		"A=ls; declare -n r=A; r=rm; $A x":        hook.Unknown,
		"A=ls; printf -v A rm; $A x":              hook.Unknown,
		"A=ls; printf -vA rm; $A x":               hook.Unknown,
		"A=ls; printf '%s' $A; $A x":              hook.No,
		"A=ls; echo rm | read A; $A x":            hook.Unknown,
		"A=ls; echo rm | cat; $A x":               hook.No,
		"A=ls; exec {A}>f; $A x":                  hook.Unknown,
		"A=ls; f() { A=rm; }; f; $A x":            hook.Unknown,
		"f() { A=rm; }; A=ls; f; $A x":            hook.Unknown,
		"A=ls; while b; do $A x; A=rm; done":      hook.Unknown,
		"A=ls; . ./x; $A x":                       hook.Unknown,
		"A=ls; trap 'A=rm' DEBUG; $A x":           hook.Unknown,
		"A=ls; b && A=rm; $A x":                   hook.Unknown,
		"A=ls; b && A=rm && $A x":                 hook.Yes,
		"A=ls; IFS=s; $A x":                       hook.Unknown,
		"A=ls; : ${A:=rm}; $A x":                  hook.Unknown,
		"A=ls; (A=rm); $A x":                      hook.No,
		"A=ls; unset A; $A x":                     hook.Unknown,
		"A=ls; readonly A=rm; A=ls; $A x":         hook.Unknown,
		"A='ls; rm y'; $A x":                      hook.No, // no shell reads it again
		"A='r m'; $A x":                           hook.No,
		"A=; ${A}rm x":                            hook.Yes,
		"A=(echo rm); \"${A[@]}\" x":              hook.No,
		"A=ls; bash -c '$A x'":                    hook.Unknown,
		"A=ls; case b in b) A=rm;; esac; $A x":    hook.Unknown,
		"A=ls; if b; then A=rm; $A x; fi":         hook.Yes,
		"A=ls; mapfile -t A < f; $A x":            hook.Unknown,
		"A=ls; for i in 1 2; do A=rm; done; $A x": hook.Unknown,
	} {
		if got, _, why := CompileGlob("rm *").Match(Parse(text, Options{}), false); got != want {
			t.Errorf("%q: got %v (%s), want %v", text, got, why, want)
		}
	}
}

// Every reason names what is not known.
func TestReasons(t *testing.T) {
	for text, want := range map[string]string{
		"git $SUB origin":      "$SUB in `git $SUB origin` is not a literal",
		"curl x | sh":          "sh runs its input: it comes out of a pipe",
		"my-wrapper git push":  "my-wrapper may run git push",
		"if true; then ls":     "the text does not parse: 1:1: `if` statement must end with `fi`",
		`bash -c "$(cat f)"`:   `shell text with a part that is not known: "$(cat f)"`,
		". ./env.sh":           ". runs what is in ./env.sh",
		"ls\x00":               "the text has a NUL byte",
		"python3 -c 'exec(x)'": "code of python may run anything: it has exec",
	} {
		if tri, _, why := CompileGlob("git push *").Match(Parse(text, Options{}), false); tri != hook.Unknown || why != want {
			t.Errorf("%q: got %v %q, want %q", text, tri, why, want)
		}
	}
}

func TestSpaced(t *testing.T) {
	for _, text := range []string{"", " ", "rm x", " rm x", "rm x ", "rm  x", "rm\tx", "rm x\n", "rm\u00a0x", "rm é  x", "\x7f"} {
		if got, want := spaced(text), strings.Join(strings.Fields(text), " "); got != want {
			t.Errorf("spaced(%q) = %q, want %q", text, got, want)
		}
	}
}
