package shell

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/engine/hook"
)

func TestFlagGroups(t *testing.T) {
	const push = "git push {--force,-f} *"
	for _, c := range []struct {
		pattern, command string
		want             hook.Tri
	}{
		{push, "git push --force", hook.Yes},
		{push, "git push -f origin main", hook.Yes},
		{push, "git push origin main --force", hook.Yes},
		{push, "git push origin -f main", hook.Yes},
		{push, "git push -fu origin main", hook.Yes},
		{push, "git push -uf origin main", hook.Yes},
		{push, "git push --force=yes origin", hook.Yes},
		{push, "git -C x push origin -f", hook.Yes},
		{push, "sudo git push -qf", hook.Yes},
		{push, "/usr/bin/git push '-f'", hook.Yes},
		{push, "F=-f; git push $F", hook.Yes},
		{push, `git push "$remote" -f`, hook.Yes},
		{push, "git push $remote -f", hook.Yes},
		{push, "git push --force-with-lease", hook.No},
		{push, "git push --force-with-lease=main -u origin", hook.No},
		{push, "git push --no-force", hook.No},
		{push, "git push origin -- -f", hook.No},
		{push, "git push -o -f origin", hook.No},
		{push, "git push -o -- -f", hook.Yes},
		{push, "git push -ofast origin", hook.No},
		{push, "git push --push-option --force origin", hook.No},
		{push, "git push --push-option=--force origin", hook.No},
		{push, "git push origin main", hook.No},
		{push, "git push origin f", hook.No},
		{push, "git push +main", hook.No},
		{push, "git fetch -f", hook.No},
		{push, "git commit -m 'git push -f'", hook.No},
		{push, "echo git push -f", hook.No},
		{push, "git -f status", hook.No},
		{push, "git push $X", hook.Unknown},
		{push, `git push "$X" main`, hook.Unknown},
		{push, "git $X", hook.Unknown},
		{push, "git $X -f", hook.Unknown},
		{push, "$X -f", hook.Unknown},
		{push, "$X", hook.Unknown},
		{push, `git push "origin/$X"`, hook.No},
		{push, `git push "--repo=$X"`, hook.No},
		{push, `git push "-$X"`, hook.Unknown},
		{push, `git push "--fo$X"`, hook.Unknown},
		{push, "git push -- $X", hook.No},
		{push, "git push ~/mirror main", hook.No},
		{push, "eval \"$X\"", hook.Unknown},
		{"git push {-f}", "git push -f", hook.Yes},
		{"git push {-f}", "git push -f origin", hook.No},
		{"git push {-f}", "git push", hook.No},
		{"git push {-f}:*", "git push -f origin", hook.Yes},
		{"git push * {-f}", "git push -f origin", hook.Yes},
		{"git push * {-f}", "git push -f origin main", hook.Yes},
		{"rm {-r,-R,--recursive} {-f,--force} *", "rm -rf x", hook.Yes},
		{"rm {-r,-R,--recursive} {-f,--force} *", "rm -fvR x", hook.Yes},
		{"rm {-r,-R,--recursive} {-f,--force} *", "rm x --force -r", hook.Yes},
		{"rm {-r,-R,--recursive} {-f,--force} *", "rm -r x", hook.No},
		{"rm {-r,-R,--recursive} {-f,--force} *", "rm -f -- -r", hook.No},
		{"rm {-r,-R,--recursive} {-f,--force} *", "rm -r $X", hook.Unknown},
		{"rm {-r,-R,--recursive} /", "rm -r /", hook.Yes},
		{"rm {-r,-R,--recursive} /", "rm / --recursive", hook.Yes},
		{"rm {-r,-R,--recursive} /", "rm -rf /", hook.No}, // -f is left
		{"rm {-r,-R,--recursive} {-f} /", "rm -rf /", hook.Yes},
		{"rm {-r,-R,--recursive} *", "rm ~/x build/*.o *.log", hook.No},
		{"rm {-r,-R,--recursive} *", "rm *", hook.Unknown},
		{"rm {-r,-R,--recursive} *", `rm "$tmp"/x`, hook.No},
		{"find * {-delete}", "find . -name '*.o' -delete", hook.Yes},
		{"find * {-delete}", "find . -name -delete", hook.No},
		{"find * {-d}", "find . -delete", hook.No},
		{"sed {-i,--in-place} *", "sed -i.bak s/a/b/ f", hook.Yes},
		{"sed {-i,--in-place} *", "sed -ne p f", hook.No},
		{"sed {-i,--in-place} *", "sed -e -i f", hook.No},
		{"kill {-9,-KILL} *", "kill -9 1", hook.Yes},
		{"kill {-9,-KILL} *", "kill 9", hook.No},
		{"terraform apply {-auto-approve,--auto-approve} *", "terraform apply -auto-approve=true", hook.Yes},
		{"docker run {--privileged} *", "docker run --rm --privileged alpine", hook.Yes},
		{"docker run {--privileged} *", "docker run -e --privileged alpine", hook.No},
		{"chmod {-R,--recursive} 777 *", "chmod 777 -R .", hook.Yes},
		{"chmod {-R,--recursive} 777 *", "chmod 755 -R .", hook.No},
		{`rm {-r} "$HOME"`, `rm -r "$HOME"`, hook.Yes},
		{`rm {-r} "$HOME"`, `rm "$HOME"`, hook.Unknown},
		// Other braces are text.
		{"echo {a,b}", "echo {a,b}", hook.Yes},
		{"git push {-f,x} *", "git push -f x", hook.No},
		{"git push {-} *", "git push - x", hook.No},
	} {
		g := CompileGlob(c.pattern)
		if got, _, why := g.Match(Parse(c.command, Options{}), false); got != c.want {
			t.Errorf("%s on %q: got %v (%s), want %v", c.pattern, c.command, got, why, c.want)
		}
	}
}

func TestFlagGroupGrants(t *testing.T) {
	for _, c := range []struct {
		pattern, command string
		want             hook.Tri
	}{
		{"git push {--dry-run,-n} *", "git push -n origin", hook.Yes},
		{"git push {--dry-run,-n} *", "git push origin --dry-run", hook.Yes},
		{"git push {--dry-run,-n} *", "git push origin", hook.No},
		{"git push {--dry-run,-n} *", "git push $X --dry-run", hook.No},
		{"git push {--dry-run,-n} *", "git push --dry-run $X", hook.Yes},
		{"git push {--dry-run,-n} *", "git push -n && rm x", hook.No},
		{"git push {--dry-run,-n} *", "git push -- -n", hook.No},
		{"rm {-i}", "rm -ir", hook.No},
	} {
		if got, _, why := CompileGlob(c.pattern).Match(Parse(c.command, Options{}), true); got != c.want {
			t.Errorf("%s grants %q: got %v (%s), want %v", c.pattern, c.command, got, why, c.want)
		}
	}
}

func TestFlagGroupReason(t *testing.T) {
	_, _, why := CompileGlob("rm {-r,--recursive} {-f} *").Match(Parse("rm -vfr x", Options{}), false)
	if want := "rm -vfr x has -f and -r"; why != want {
		t.Errorf("got %q, want %q", why, want)
	}
}

// A flag matches wherever it stands before a --, and Start stays necessary.
func TestFlagGroupPlace(t *testing.T) {
	word := rapid.SampledFrom([]string{"x", "-v", "--quiet", "a.b", "-q", "--level=3"})
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(word, 0, 5).Draw(t, "words")
		at := rapid.IntRange(0, len(words)).Draw(t, "at")
		flag := rapid.SampledFrom([]string{"-f", "--force", "--force=1", "-fz", "-zf"}).Draw(t, "flag")
		g := CompileGlob("tool sub {--force,-f} *")
		with := "tool sub " + strings.Join(append(append(append([]string{}, words[:at]...), flag), words[at:]...), " ")
		c := Parse(with, Options{})
		if got, _, _ := g.Match(c, false); got != hook.Yes {
			t.Fatalf("%q: %v", with, got)
		}
		found := false
		Starts(c, func(text string) { found = found || strings.HasPrefix(text+" ", g.Start()+" ") }, func(string) {})
		if !found {
			t.Fatalf("%q is not found by %q", with, g.Start())
		}
		without := "tool sub " + strings.Join(words, " ") + " -- " + flag
		if got, _, _ := g.Match(Parse(without, Options{}), false); got != hook.No {
			t.Fatalf("%q: %v", without, got)
		}
	})
}
func TestAbbreviatedFlags(t *testing.T) {
	for text, want := range map[string]hook.Tri{
		"git push --forc": hook.Yes, "git push --force": hook.Yes, "git push --forc=x": hook.Yes, "git push --force-with-lease": hook.No,
		"git push --force-w": hook.No, "git push --no-forc": hook.No, "git push -- --forc": hook.No, "git push --": hook.No,
	} {
		if got, _, why := CompileGlob("git push {--force,-f} *").Match(Parse(text, Options{}), false); got != want {
			t.Errorf("%q: %v (%s), want %v", text, got, why, want)
		}
	}
	for _, row := range []struct {
		pattern, text string
		want          hook.Tri
	}{
		{"git push {--force-with-lease} *", "git push --force", hook.No},
		{"git push {--force-with-lease} *", "git push --force-with", hook.No},
		{"git push {--force-with-lease} *", "git push --force-wi", hook.Yes},
		{"rm {--recursive} *", "rm --r x", hook.Yes},
		{"docker run {--privileged} *", "docker run --priv a", hook.No},
		{"git commit {--no-verify} *", "git commit --no-ver -m a", hook.Yes},
		{"git commit {--no-verify} *", "git commit -m --no-ver", hook.No},
	} {
		if got, _, why := CompileGlob(row.pattern).Match(Parse(row.text, Options{}), false); got != row.want {
			t.Errorf("%s, %q: %v (%s), want %v", row.pattern, row.text, got, why, row.want)
		}
	}
	// A grant wants the flag as it is spelled.
	if got, _, _ := CompileGlob("git push {--dry-run} *").Match(Parse("git push --dry", Options{}), true); got == hook.Yes {
		t.Error("an abbreviated flag is granted")
	}
}
