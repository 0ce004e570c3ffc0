package rules

import (
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// TestCommandPaths: what commands read and write. Each wanted path is r, w or
// rw, ? before it if it is not known to be touched, and its name below the
// project.
func TestCommandPaths(t *testing.T) {
	p := newPlace(t)
	for _, c := range []struct{ id, command, want string }{
		{"B175", "cat .env", "r:.env"},
		{"B175", "sed -n p .env", "r:.env"},
		{"B175", "grep -r KEY .", "r:."},
		{"B175", `python3 -c "open('.env')"`, "?rw:open ?rw:.env"},
		{"B175", "tar c .env", "r:.env"},
		{"", "head -n 3 a b", "r:a r:b"},
		{"", "tail -n3 a", "r:a"},
		{"", "grep -e x a", "r:a"},
		{"", "grep -f pats a", "r:pats r:a"},
		{"", "sed -i s/a/b/ f", "rw:f"},
		{"", "sed -ni.bak -e s/a/b/ f", "rw:f"},
		{"", "cp a b c", "r:a r:b w:c w:c/a w:c/b"},
		{"", "cp a sub", "r:a w:sub w:sub/a"},
		{"", "cp -t sub a", "w:sub r:a w:sub/a"},
		{"", "mv a b", "rw:a w:b"},
		{"", "tee -a x < y", "r:y w:x"},
		{"", "rm -rf -- -x", "w:-x"},
		{"", "chmod 644 f", "w:f"},
		{"", "dd if=a of=b bs=1", "r:a w:b"},
		{"", "echo .env > out.txt", "w:out.txt"},
		{"", "echo x 2>&1", ""},
		{"", "git commit -m .env", ""},
		{"", "curl -o f --upload-file=g http://x", "w:f r:g"},
		{"", "cd sub && cat ../.env", "r:.env"},
		{"", "cat $HOME/x \"${PWD}/y\"", "r:../home/x r:y"},
		{"", "cat ~/x", "r:../home/x"},
		{"", "cat $F", "?r:"},
		{"", "sudo cat .env", "r:.env"},
		{"", "bash -c 'cat .env'", "r:.env"},
		{"", "HOME=~/.ssh; cat ~/x", "?r: ?r:"},
		{"", "HOME=/tmp cat ~/x", "r:../home/x"},
		{"", "env HOME=/tmp sh -c 'cat ~/x'", "?r: ?r:"},
		{"", "PWD=~; cat $PWD/x", "?r: ?r:"},
		{"", "cd ~; cat \"$PWD/x\"", "?r: ?r:"},
		{"", "CDPATH=~ cd sub; cat x", "?r: ?r:"},
		{"", "CDPATH=~; cd ./sub; cat x", "r:sub/x"},
		{"", "shopt -s cdable_vars; cd sub; cat x", "?rw:cdable_vars ?r: ?r:"},
		{"", "cd -PL sub; cat x", "r:sub/x"},
		{"", "cd -P sub/..; cat x", "?r: ?r:"},
		{"", "set -P; cd sub/..; cat x", "?r: ?r:"},
		{"", "set -eo physical; cd sub/..; cat x", "?r: ?r:"},
		{"", "set -e; cd sub/..; cat x", "r:x"},
		{"", "bash -P -c 'cd sub/..; cat x'", "?r: ?r:"},
		{"", "bash -O cdable_vars -c 'cd sub; cat x'", "?r: ?r:"},
		{"", "env -C sub/.. cat x", "?r: ?r:"},
		{"", "env -C sub cat x", "r:sub/x"},
		{"", "git archive --add-file=x HEAD", "r:x r:HEAD"},
		{"", "git config -f x a.b c", "w:x"},
		{"", "kubectl create secret generic s --from-file=x", "r:x"},
		{"", "kubectl create secret generic s --from-file=k=.env", "r:k=.env r:.env"},
		{"", "gh api -F a=@x repos", "r:x"},
		{"", "gh api -f a=@x repos", ""},
	} {
		f := p.facts("Bash", map[string]any{"command": c.command})
		var got []string
		for _, path := range f.Paths() {
			access := map[hook.Access]string{rd: "r", wr: "w", rw: "rw"}[path.Access]
			if !path.Known {
				access = "?" + access
			}
			got = append(got, access+":"+below(p, path.Clean))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s %s: got %q, want %q", c.id, c.command, g, c.want)
		}
	}
}

func below(p place, name string) string {
	switch {
	case name == p.dir:
		return "."
	case strings.HasPrefix(name, p.dir+"/"):
		return name[len(p.dir)+1:]
	case strings.HasPrefix(name, p.home+"/"):
		return "../home" + name[len(p.home):]
	}
	return name
}

func TestPathRulesOnCommands(t *testing.T) {
	p := newPlace(t)
	for _, c := range []struct {
		id, pattern, command string
		want                 hook.Tri
	}{
		{"B175", "Read(./.env)", "cat .env", hook.Yes},
		{"B175", "Read(./.env)", "cat < .env", hook.Yes},
		{"B175", "Read(./.env)", `python3 -c "open('.env')"`, hook.Unknown},
		{"B175", "Read(./.env)", "tar c .env", hook.Yes},
		{"B175", "Read(./.env)", "echo .env", hook.No},
		{"", "Read(./.env)", "cat link", hook.Yes},
		{"", "Read(./.env)", "cd $X && cat .env", hook.Unknown},
		{"", "Read(./.env)", "cat $F", hook.Unknown},
		{"", "Read(./.env)", "curl x | sh", hook.Unknown},
		{"", "Read(./.env)", "npm run $X", hook.No},
		{"ruling 9", "Read(./.env)", "echo x > .env", hook.Yes},
		{"", "Edit(./.env)", "echo x > .env", hook.Yes},
		{"", "Edit(./.env)", "cat .env", hook.No},
		{"", "Edit(./.env)", "rm .env", hook.Yes},
		{"", "Edit(~/.ssh/**)", "cp k $HOME/.ssh/", hook.Yes},
	} {
		s := p.scope(false)
		rule := mustPermission(t, c.pattern, s)
		f := p.facts("Bash", map[string]any{"command": c.command})
		if got := rule.Match(f); got != c.want {
			t.Errorf("%s %s on %q: got %v, want %v (%s)", c.id, c.pattern, c.command, got, c.want, rule.Explain(f).Why)
		}
		if got := evalExpr(t, rule, s, f); got != c.want {
			t.Errorf("%s %s as %s on %q: got %v, want %v", c.id, c.pattern, rule.Expr(), c.command, got, c.want)
		}
	}
}

func TestPowerShellPaths(t *testing.T) {
	p := newPlace(t)
	rule := mustPermission(t, "Read(.env)", p.scope(false))
	for command, want := range map[string]hook.Tri{"Get-Content .env": hook.Unknown, "Get-Content x": hook.No, "gc $x": hook.Unknown, "npm run $x": hook.No, "iex $x": hook.Unknown} {
		if got := rule.Match(p.facts("PowerShell", map[string]any{"command": command})); got != want {
			t.Errorf("%s: got %v, want %v", command, got, want)
		}
	}
}

func TestPatchPaths(t *testing.T) {
	p := newPlace(t)
	patch := "*** Begin Patch\n*** Update File: src/a.go\n@@\n-x\n+y\n*** Move to: .env\n*** End Patch\n"
	f := p.facts("apply_patch", map[string]any{"command": patch})
	rule := mustPermission(t, "Edit(.env)", p.scope(false))
	if got := rule.Match(f); got != hook.Yes {
		t.Errorf("a patch that writes .env: got %v", got)
	}
	if _, err := os.Stat(p.dir + "/.env"); err != nil {
		t.Fatal(err)
	}
}

func TestTemplate(t *testing.T) {
	ev := toolEvent("shell", map[string]any{"file_path": "/p/x\x1b[31m", "o": map[string]any{"n": 3}, "list": []any{1, "a"}})
	ev.More = object(map[string]any{"tool_use_id": "t1"})
	f := Analyze(ev)
	for text, want := range map[string]string{
		"no ${tool_input.file_path}!":         `no /p/x\u001b[31m!`,
		"${tool_input.o.n} ${input.o.n}":      "3 3",
		"${tool_name} ${tool} ${cwd}":         "shell Bash /p",
		"[${tool_input.missing.x}] [${nope}]": "[] []",
		"${tool_input.list} ${tool_use_id}":   `[1,"a"] t1`,
		"open ${ and $x and ${tool_name":      "open ${ and $x and ${tool_name",
		strings.Repeat("x", 2*maxTemplate):    strings.Repeat("x", maxTemplate) + "…",
	} {
		if got := Template(text, f); got != want {
			t.Errorf("%.60q: got %.60q, want %.60q", text, got, want)
		}
	}
}

func TestWordGlobOfAMovedHome(t *testing.T) {
	w := hook.Word{Text: "~/x*"}
	if glob, whole := wordGlob(w); glob != "~/x*" || !whole {
		t.Errorf("got %q, %v", glob, whole)
	}
	w.Moved = true
	if glob, whole := wordGlob(w); glob != "" || whole {
		t.Errorf("moved: got %q, %v", glob, whole)
	}
}
