package shell

import (
	"context"
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
	"A=rmx; ${A%x} x", "A=xrm; ${A#x} x", "A=rax; ${A/ax/m} x", "A=RM; ${A,,} x", "A=xrmx; ${A:1:2} x", "A=rm; ${A:-ls} x", "A=ls; ${A:+rm} x", "A=rm; B=A; ${!B} x", "set -- rm x; \"$@\"", "set -e -- a rm; shift; $1 x",
	"read -r A <<< ' rm '; $A x", "f() { \"$@\"; }; f rm x", "g() { shift; $*; }; g a rm x", "declare -n N=A; A=rm; $N x", "mapfile -t A <<< rm; $A x", "A=([1]=rm); ${A[1]} x", "A=(ls rm); ${A[-1]} x", "A=(ls rm x); \"${A[@]:1}\"",
	"printf -v A %s rm; $A x", "A=rm; A=${A%m}s; $A x", "A=rmx; ${A%m} x", "A=xrm; ${A/x/l} x", "set -- ls rm x; \"$@\"", "f() { ls; }; f rm x", "f() { echo \"$@\"; }; f rm x", "set -- rm x; shift; echo \"$@\"", "read A <<< ls; $A rm", "A=rm; B=A; ls ${!B} x",
	"A=(rm ls); ${A[-1]} x", "A=rm; ${A^} x", "A=rm; ls ${A:+-l} x", "f() { local A=rm; ls; }; f; $A ls", "A=ls; f() { local A=rm; }; f; $A x", "A=ls; f() { local A=rm; $A x; }; f", "A=ls; g() { A=rm; }; g; $A x", "A=ls; (A=rm); $A x", "A=ls; A=rm ls; $A x", "A=ls; A=rm : ; $A x",
	"IFS=-; A=rm-x; $A", "IFS=; A='rm x'; $A", "A=rm; unset A; $A ls", "set -- ls; f() { set -- rm; }; f; $1 x", "set -- rm; (set -- ls); $1 x", "set -- ls; eval 'set -- rm'; $1 x", "A=$'rm\nx'; $A", "A=(rm); A+=(x); ${A[*]}", "A=(r); A+=m; $A x", "${A=rm} x", "${A:=ls} rm; $A x",
	"ls() { rm x; }; ls", "ls() { rm x; }; \\ls", "rm() { ls; }; unset -f rm; rm x", "exec 3< <(rm x); cat <&3", "{ rm x; } 3>&1 >&2", "A=; ${A}rm x", "A=' '; ${A}rm${A}x", "A=rm; $A\\ x", "A=r; \"$A\"m x",
	"A='rm x'; \"$A\"", "A=\\rm; $A x", "A='\"rm\" x'; $A", "A='\"rm\" x'; eval $A", "A='{rm,x}'; $A", "A='{rm,x}'; eval $A", "A='~'; ls $A rm", "A='rm #'; $A x", "A='ls #'; eval $A; rm x", "A=rm; case $A in rm) $A x;; esac", "A=ls; case a in b) A=rm;; esac; $A x", "A=ls; case a in a) A=rm;; esac; $A x",
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
	func(in string) string { return "case a in a) ;& b) " + in + "\n;; esac" },
	func(in string) string { return "case a in a) ls ;;& [a]) " + in + "\n;; esac" },
	func(in string) string { return "f() { g() { " + in + "\n}; g; }; f" },
	func(in string) string { return "f() { eval \"$1\"; }; f " + quote(in) },
	func(in string) string { return "f() { bash -c \"$2\"; }; f a " + quote(in) },
	func(in string) string { return "g() { \"$@\"; }; g bash -c " + quote(in) },
	func(in string) string { return "set -- " + quote(in) + "; eval \"$1\"" },
	func(in string) string { return "set -- bash -c " + quote(in) + "; \"$@\"" },
	func(in string) string { return "A=(bash -c " + quote(in) + "); \"${A[@]}\"" },
	func(in string) string { return "A=x" + quote(in) + "; eval \"${A#x}\"" },
	func(in string) string { return "B=" + quote(in) + "; A=B; eval \"${!A}\"" },
	func(in string) string { return "f() { local A=" + quote(in) + "; eval \"$A\"; }; f" },
	func(in string) string { return "declare -n N=A; A=" + quote(in) + "; eval \"$N\"" },
	func(in string) string { return "mapfile -t A <<< " + quote(in) + "; eval \"${A[0]}\"" },
	func(in string) string { return "exec 9<&0; " + in },
	func(in string) string { return "exec >log; " + in },
	func(in string) string { return "(trap " + quote(in) + " EXIT; ls)" },
	func(in string) string { return "f() { trap " + quote(in) + " RETURN; }; f" },
	func(in string) string { return "trap " + quote(in) + " DEBUG; ls" },
	func(in string) string { return "(trap " + quote(in) + " ERR; false; ls)" }, // not for the last command of a condition
	func(in string) string { return "cat < <(" + in + "\n); wait $!" },
	func(in string) string { return "while read l; do " + in + "\ndone <<< a" },
	func(in string) string {
		return "while read -r l; do eval \"$l\"; done <<< " + quote("bash -c "+quote(in))
	},
	func(in string) string { return "read -r -d '' A <<'D9'\n" + in + "\nD9\neval \"$A\"" },
	func(in string) string { return "A=$(cat <<'D8'\n" + in + "\nD8\n); eval \"$A\"" },
	func(in string) string { return "A=$(printf %s " + quote(in) + "); bash -c \"$A\"" },
	func(in string) string { return "printf -v A %s " + quote(in) + "; eval \"$A\"" },
	func(in string) string { return "export A=" + quote(in) + "; bash -c 'eval \"$A\"'" },
	func(in string) string { return "A=" + quote(in) + " bash -c 'eval \"$A\"'" },
	func(in string) string { return "f() { " + in + "\n}; export -f f; bash -c f" },
	func(in string) string { return "bash -c 'eval \"$1\"' _ " + quote(in) },
	func(in string) string { return "bash -c 'bash -c \"$0\"' " + quote(in) },
	func(in string) string { return "eval eval " + quote(quote(in)) },
	func(in string) string { return "for i in " + quote(in) + "; do eval \"$i\"; done" },
	func(in string) string { return "for i; do :; done; " + in },
	func(in string) string { return "[[ a =~ $(" + in + "\n) ]]" },
	func(in string) string { return "A=a; echo ${A/a/$(" + in + "\n)}" },
	func(in string) string { return "A=a; echo ${A%$(" + in + "\n)}" },
	func(in string) string { return "A[$(" + in + "\necho 0)]=1" },
	func(in string) string { return "declare A=$(" + in + "\n)" },
	func(in string) string { return "f() { return; }; f; " + in },
	func(in string) string { return "shopt -s extglob\n" + in },
	func(in string) string { return "if ! false; then " + in + "\nfi" },
	func(in string) string { return "true | false || { " + in + "\n}" },
	func(in string) string { return "{ echo ls; printf '%s\\n' " + quote(in) + "; } | bash" },
	func(in string) string { return "bash -s _ <<< " + quote(in) },
	func(in string) string { return "bash /dev/fd/3 3<<< " + quote(in) },
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
	func(in string) string { return "f() { echo \"$@\"; }; f " + quote(in) },
	func(in string) string { return "f() { ls; }; f " + quote(in) + " bash -c " + quote(in) },
	func(in string) string { return "set -- " + quote(in) + "; echo \"$1\"" },
	func(in string) string { return "A=a; echo ${A/a/" + quote(in) + "}" },
	func(in string) string { return "read -r A <<< " + quote(in) + "; echo \"$A\"" },
	func(in string) string { return "mapfile A <<'C9'\n" + in + "\nC9" },
	func(in string) string { return "printf -v A %s " + quote(in) + "; ls \"$A\"" },
	func(in string) string { return "[[ a == " + quote(in) + " ]]" },
	func(in string) string { return "A=" + quote(in) + " ls; ls" },
	func(in string) string { return "declare -A M=([a]=" + quote(in) + ")" },
	func(in string) string { return "trap - EXIT; ls " + quote(in) },
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
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, bash, "--norc", "--noprofile", "-c", text)
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
		case !hit && got == hook.Yes && exec.Command(bash, "-n", "-c", text).Run() == nil: // else it refuses the whole text
			t.Fatalf("%q did not run rm, but is said to (%s)", text, why)
		}
	})
	if ran == 0 {
		t.Error("no text ran the stub: the oracle says nothing")
	}
}
