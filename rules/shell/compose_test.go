package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/engine/hook"
)

// leaves are texts that run `rm x`, and texts that only look so.
var leaves = []string{
	"rm x", `r\m x`, `'rm' x`, `"r"m x`, `$'\162m' x`, "{rm,x}", "rm\\\n x", `r''m "x"`, "r{m,m} x", "A=1 rm x", ">f rm x", "command rm x", "A=rm; $A x", "A='rm x'; $A",
	"A=(rm x); \"${A[@]}\"", "A=r; A+=m; $A x", "for c in rm; do $c x; done", "A=rm; for i in 1; do $A x; done", "! ! rm x", "time rm x", "A=(1) rm x", "((rm x); (ls))", "ls\nrm x", "ls; # c\nrm x",
	"echo rm x", "echo 'a; rm x'", "true # rm x", "x='rm y'", ": rm x", "'rm x'", "echo \\\nrm x", "x=(rm y)", "A=rm; echo $A x", "A=rm; A=ls; $A x", "[ rm = x ]", "[[ rm = x ]]", "ls >rm x",
	`echo "\$(rm x)"`, "echo '`rm x`'", "case rm in rm) ls;; esac", "for rm in x; do ls; done", `A='$(rm x)'; echo $A`, "cat <<'rm'\n$(rm x)\nrm", "git commit -m 'rm x; rm y'", "ls <<< 'rm x'",
	"A='; rm x'; ls $A", "A='$(rm x)'; $A", `echo \; rm x`, "ls a\\\n rm x", "rm() { ls; }; ls", "command -v rm", "type rm", "unset rm", "declare rm=x",
}

// shapes are texts around another text. Each runs what it runs; those of the
// second list never do.
var shapes = []func(in string) string{
	func(in string) string { return "bash -c " + quote(in) },
	func(in string) string { return "bash -uo pipefail -c " + quote(in) + " _ a" },
	func(in string) string { return "sh <<< " + quote("bash -c "+quote(in)) },
	func(in string) string { return "eval " + quote(in) },
	func(in string) string { return "command eval " + quote(in) },
	func(in string) string { return "A=" + quote(in) + "; eval \"$A\"" },
	func(in string) string { return "A=" + quote(in) + "; bash -c \"$A\"" },
	func(in string) string { return "( " + in + "\n)" },
	func(in string) string { return "( ( " + in + "\n) )" },
	func(in string) string { return "{ " + in + "\n}" },
	func(in string) string { return "{ " + in + "\n} >log 2>&1" },
	func(in string) string { return "if true; then " + in + "\nfi" },
	func(in string) string { return "if false; then :; else " + in + "\nfi" },
	func(in string) string { return "if " + in + "\nthen :; fi" },
	func(in string) string { return "for i in 1; do " + in + "\ndone" },
	func(in string) string { return "for ((i=0;i<1;i++)); do " + in + "\ndone" },
	func(in string) string { return "while :; do " + in + "\nbreak; done" },
	func(in string) string { return "until " + in + "\n:; do :; done" },
	func(in string) string { return "case a in (a) " + in + "\n;; esac" },
	func(in string) string { return "select i in a; do " + in + "\nbreak; done <<< 1" },
	func(in string) string { return "f() { " + in + "\n}; f" },
	func(in string) string { return "function f { " + in + "\n}; f >log" },
	func(in string) string { return "f() ( " + in + "\n)\nf" },
	func(in string) string { return "ls && " + in },
	func(in string) string { return "false || { " + in + "\n}" },
	func(in string) string { return "ls; " + in },
	func(in string) string { return "! { " + in + "\n}" },
	func(in string) string { return "time bash -c " + quote(in) },
	func(in string) string { return "ls | { " + in + "\n}" },
	func(in string) string { return "{ " + in + "\n} | cat" },
	func(in string) string { return "{ " + in + "\n} & wait" },
	func(in string) string { return "echo \"$(" + in + "\n)\"" },
	func(in string) string { return "echo a$(" + in + "\n)b" },
	func(in string) string { return "A=$(" + in + "\n)" },
	func(in string) string { return "A=(a $(" + in + "\n))" },
	func(in string) string { return "export A=$(" + in + "\n)" },
	func(in string) string { return "A=$(" + in + "\n) ls" },
	func(in string) string { return "echo ${zz:-$(" + in + "\n)}" },
	func(in string) string { return "echo \"${zz:-\"$(" + in + "\n)\"}\"" },
	func(in string) string { return "echo $(( $(" + in + "\n) + 1 ))" },
	func(in string) string { return "[[ -n $(" + in + "\n) ]]" },
	func(in string) string { return "[ \"$(" + in + "\n)\" ]" },
	func(in string) string { return "case $(" + in + "\n) in *) ;; esac" },
	func(in string) string { return "for i in $(" + in + "\n); do ls; done" },
	func(in string) string { return "ls > \"$(" + in + "\n)f\"" },
	func(in string) string { return "cat <<< \"$(" + in + "\n)\"" },
	func(in string) string { return "cat <(" + in + "\n); wait $!" },
	func(in string) string { return "cat <<E9\n$(" + in + "\n)\nE9" },
	func(in string) string {
		return "echo `" + strings.NewReplacer("\\", "\\\\", "`", "\\`", "$", "\\$").Replace(in) + "\n`"
	},
	func(in string) string { return "sh -s <<'E8'\nbash -c " + quote(in) + "\nE8" },
	func(in string) string { return "bash <<'E7'\n" + in + "\nE7" },
	func(in string) string {
		return "bash <<E6\n" + strings.NewReplacer("\\", "\\\\", "`", "\\`", "$", "\\$").Replace(in) + "\nE6"
	},
	func(in string) string { return "bash <<< " + quote(in) },
	func(in string) string { return "cat <<'E5' | bash\n" + in + "\nE5" },
	func(in string) string { return "printf '%s\\n' " + quote(in) + " | bash" },
	func(in string) string {
		return "echo " + quote("bash -c "+quote(strings.ReplaceAll(in, "\\", "\\"))) + " | bash -s"
	},
	func(in string) string { return "bash <(printf '%s\\n' " + quote(in) + ")" },
	func(in string) string { return "source /dev/stdin <<< " + quote(in) },
	func(in string) string { return ". <(printf '%s\\n' " + quote(in) + ")" },
	func(in string) string { return "trap " + quote(in) + " EXIT" },
	func(in string) string { return "env A=1 bash -c " + quote(in) },
	func(in string) string { return "env -u A -- nice -n 1 bash -c " + quote(in) },
	func(in string) string { return "timeout -k 1 9 bash -c " + quote(in) },
	func(in string) string { return "nohup bash -c " + quote(in) },
	func(in string) string { return "exec bash -c " + quote(in) },
	func(in string) string { return "(exec -a z bash -c " + quote(in) + ")" },
	func(in string) string { return "echo x | xargs -I{} bash -c " + quote(in) },
	func(in string) string { return "find . -maxdepth 0 -exec bash -c " + quote(in) + " \\;" },
	func(in string) string { return "cat <<E9 <<'F9'\n`\nE9\n`\nF9\n" + in },
	func(in string) string { return "cat <<E9\n$(cat <<'F9'\nE9\n" + in + "\nF9\n)\nE9" },
	func(in string) string { return "cat <<E9\n\\\nE9\nE9\n" + in },
	func(in string) string { return "coproc { " + in + "\n}; wait" },
	func(in string) string { return "cat > s.sh <<'E4'\n" + in + "\nE4\nbash s.sh" },
}

var dataShapes = []func(in string) string{
	func(in string) string { return "echo " + quote(in) },
	func(in string) string { return "cat <<'E3'\n" + in + "\nE3" },
	func(in string) string { return ": " + quote(in) },
	func(in string) string { return "A=" + quote(in) },
	func(in string) string { return "A=(" + quote(in) + ")" },
	func(in string) string { return "A=" + quote(in) + "; echo \"$A\"" },
	func(in string) string { return "git commit -m " + quote(in) },
	func(in string) string { return "git commit -m \"$(cat <<'E2'\n" + in + "\nE2\n)\"" },
	func(in string) string { return "[ a = " + quote(in) + " ]" },
	func(in string) string { return "case a in " + quote(in) + ") ls;; esac" },
	func(in string) string { return "printf %s " + quote(in) + " > f" },
	func(in string) string { return "bash -n <<'E1'\n" + in + "\nE1" },
	func(in string) string { return "bash -c 'cat' <<'E0'\n" + in + "\nE0" },
	func(in string) string { return "bash -c 'echo \"$1\"' _ " + quote(in) },
	func(in string) string { return "# " + strings.ReplaceAll(in, "\n", "\n# ") },
	func(in string) string { return "for i in " + quote(in) + "; do ls; done" },
}

// spelling draws one way to write a text that may or may not run `rm x`.
func spelling(t *rapid.T, depth int) string {
	if depth == 0 {
		return rapid.SampledFrom(leaves).Draw(t, "leaf")
	}
	in := spelling(t, depth-1)
	if rapid.IntRange(0, 5).Draw(t, "data") == 0 {
		return rapid.SampledFrom(dataShapes).Draw(t, "shape")(in)
	}
	return rapid.SampledFrom(shapes).Draw(t, "shape")(in)
}

// What real bash runs is never called data, and what it does not run is never
// called run. rm is a stub that leaves a mark; nothing else is on the path but
// what the texts need.
func TestAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the oracle is bash itself, and there is none here")
	}
	dir := t.TempDir()
	log := filepath.Join(t.TempDir(), "calls")
	bin := stubs(t, bash, log, "rm", "ls", "git")
	g := CompileGlob("rm *")
	ran := 0
	rapid.Check(t, func(t *rapid.T) {
		text := spelling(t, rapid.IntRange(0, 4).Draw(t, "depth"))
		cmd := exec.Command(bash, "--norc", "--noprofile", "-c", text)
		cmd.Env, cmd.Dir = []string{"PATH=" + bin, "HOME=" + dir}, dir
		cmd.WaitDelay = time.Second
		_ = cmd.Run()
		out, _ := os.ReadFile(log)
		_ = os.Remove(log)
		hit := strings.Contains("\n"+string(out), "\nrm ")
		if hit {
			ran++
		}
		switch got, _, why := g.Match(Parse(text, Options{}), false); {
		case hit && got == hook.No:
			t.Fatalf("%q ran rm, but is called data (%s)", text, why)
		case !hit && got == hook.Yes:
			t.Fatalf("%q did not run rm, but is said to (%s)", text, why)
		}
	})
	if ran == 0 {
		t.Error("no text ran the stub: the oracle says nothing")
	}
}
