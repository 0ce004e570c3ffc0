package shell

import (
	"runtime"
	"strings"
	"testing"
)

// allocated is how many bytes reading and matching a text takes.
func allocated(g *Glob, text string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	g.Match(Parse(text, Options{}), false)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A text made to cost takes at most twenty times what a list of plain
// commands of the same size does. What a text takes to be read is counted in
// bytes, not measured in time.
func TestHostileSizes(t *testing.T) {
	const size = 128 << 10
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	deep := "rm x"
	for len(deep) < size/3 {
		deep = "bash -c " + quote(deep)
	}
	g := CompileGlob("rm {-r,--recursive} * /")
	plain := allocated(g, fill("ls -l 'file';\n"))
	for name, text := range map[string]string{
		"open substitutions": fill("$("), "many substitutions": fill("$(ls);"), "backquotes": fill("`ls` "), "arithmetic": fill("$((1+"), "parameters": fill("${a:-"),
		"heredocs": fill("cat <<A\nA\n"), "heredocs of one line": fill("cat <<A;"), "deep texts": deep, "quotes": fill(`'"'"`), "hidden depth": fill("$(case x in a) "),
		"braces": fill("{a,b}"), "brace words": fill("{a,b} "), "ranges": fill("{1..9}"), "names": "rm " + fill("a*b "), "one name": "rm " + fill("a*"), "unknown": "rm " + fill("$X "), "flags": "rm " + fill("-r "), "cluster": "rm -" + fill("r"), "other cluster": "rm -" + fill("v"), "abbreviated": "rm " + fill("--recur "),
		"here-documents in expansions": fill("cat <<A\n$(\nA\n)\n"), "negations": fill("! ! ls;"), "arrays set before": fill("A=(1) ls;"), "subshells": fill("((ls);ls);"), "appended": "A=x;" + fill("A+=x;"), "files": fill("echo ls>./f;./f;"), "loops with variables": "A=1;" + fill("for i in 1 2;do ls $A;done;"), "escaped backquotes": fill("`ls \\`ls\\``;"),
		"variables of env": "env " + fill("A=1 "), "of sudo": "sudo " + fill("A=$X "), "assignments": fill("A=1 ") + "ls", "doubling": "A=xx;" + fill("A=$A$A;$A;"), "arrays": "a=(" + fill("x ") + `);"${a[@]}"`, "declarations": "declare " + fill("A=$X "),
		"pipes": fill("ls|"), "lists": fill("ls&&"), "wrappers": fill("sudo "), "evals": fill("eval 'eval ls';"), "functions": fill("f(){ ls;};"), "loops": fill("for i in 1 2;do "), "processes": "ls " + fill("<(ls) "), "broken": fill("ls; ) ; "), "xargs": "xargs -I{} " + fill("{} "), "find": "find . " + fill(`-exec ls \; `),
		"NUL": fill("\x00"), "continuations": fill("\\\n"), "redirections": "ls " + fill(">a "), "aliases": "alias a='a a';" + fill("a;"),
	} {
		if n := allocated(g, text); n > 20*plain {
			t.Errorf("%s of %d bytes: %d bytes, %d times a plain list", name, len(text), n, n/plain)
		}
	}
}
