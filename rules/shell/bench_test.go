package shell

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

var benchTexts = []struct{ name, text string }{
	{"plain", "ls -la src/main"},
	{"git", "git push origin main"},
	{"120B", `cd /srv/app && FOO=1 timeout 30 npm run build -- --mode "prod" 2>&1 | tee build.log; [ -f x ] && rm -rf "$TMP/x" || true`},
	{"900B", strings.Repeat(`for f in a b; do if grep -q "x y" "$f"; then echo "$(wc -l < "$f")" | tee -a log; fi; done; `, 10)},
}

func BenchmarkParse(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(c.text, Options{})
			}
		})
	}
}

// BenchmarkSyntax is what the bare parser costs on the same texts.
func BenchmarkSyntax(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := syntax.NewParser().Parse(strings.NewReader(c.text), ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			commands, g := Parse(c.text, Options{}), CompileGlob("docker rm *")
			b.ReportAllocs()
			for b.Loop() {
				g.Match(commands, false)
			}
		})
	}
}
