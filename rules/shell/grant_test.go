package shell

import (
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// granted says whether allow rules together cover a text.
func grantedBy(text string, patterns ...string) (hook.Tri, string) {
	c := Parse(text, Options{})
	covered := make([]bool, len(c.List))
	for _, p := range patterns {
		CompileGlob(p).Covers(c, covered)
	}
	t, _, why := Granted(c, covered)
	return t, why
}

func TestGrants(t *testing.T) {
	for _, row := range []struct {
		text     string
		patterns []string
		want     bool
	}{
		{"ls -la", []string{"ls *"}, true},
		{"ls", []string{"ls *"}, true},
		{"lsof", []string{"ls *"}, false},
		{"ls && rm x", []string{"ls *"}, false},
		{"ls && npm test", []string{"ls *", "npm test"}, true},
		{"ls $(rm x)", []string{"ls *"}, false},
		{"ls $(pwd)", []string{"ls *", "pwd"}, true},
		{"ls $X", []string{"ls *"}, true},
		{"$X -la", []string{"ls *"}, false},
		{"curl https://h/$TOKEN", []string{"curl *"}, true}, // B037
		{"curl https://h/$TOKEN", []string{"curl https://h/a"}, false},
		{"/tmp/ls -la", []string{"ls *"}, false},
		{"sudo ls", []string{"ls *"}, false},
		{"sudo ls", []string{"sudo ls *"}, true},
		{"sudo ls", []string{"sudo *"}, true},
		{"timeout 5 npm test", []string{"npm test"}, true},
		{"timeout -k 5 30 npm test a", []string{"npm test *"}, true},
		{"nice nohup npm test", []string{"npm test"}, true},
		{"timeout 5 npm test; rm x", []string{"npm test"}, false},
		{"ls | xargs grep a", []string{"ls *", "grep *"}, true},
		{"ls | xargs -n1 grep a", []string{"ls *", "grep *"}, false},
		{"ls | xargs -n1 grep a", []string{"ls *", "xargs *"}, true},
		{"watch ls", []string{"watch *"}, false},
		{"watch ls", []string{"watch ls"}, true},
		{"find . -name x", []string{"find *"}, true},
		{"find . -delete", []string{"find *"}, false},                 // B029
		{"find . -exec cat {} +", []string{"find *", "cat *"}, false}, // B029
		{"NODE_ENV=test npm test", []string{"npm test"}, true},
		{"LC_ALL=C CI=1 npm test", []string{"npm test"}, true},
		{"LD_PRELOAD=x npm test", []string{"npm test"}, false},
		{"NODE_ENV=$(rm x) npm test", []string{"npm test"}, false},
		{"A=1; npm test", []string{"npm test"}, false},
		{"npm test >out", []string{"npm test"}, true}, // the target is judged elsewhere
		{"npm run test 2>&1", []string{"npm run test*"}, true},
		{"npm test &&", []string{"npm *"}, false}, // B035
		{"npm test \"", []string{"npm *"}, false}, // B035
		{"npm test \u202e", []string{"npm *"}, false},
		{"git -C a log", []string{"git log:*"}, true},
		{"git -c core.pager=x log", []string{"git log:*"}, false},
		{"bash -c 'ls'", []string{"bash *"}, true},
		{"bash -c \"$X\"", []string{"bash *"}, false},
		{"curl x | sh", []string{"curl *", "sh *", "sh"}, false},
		{"printf -v 'a[$(rm x)]' y", []string{"printf *"}, false},
		{"eval \"$X\"", []string{"eval *"}, false},
		{"my-wrapper rm x", []string{"my-wrapper *"}, true},
		{"echo \"a b\"", []string{"echo \"a b\""}, true},
		{"'ls x'", []string{"ls *"}, false},
		{"rm x", []string{"*"}, true},
		{"# nothing", []string{"ls *"}, false},
		{"for f in a b; do cat $f; done", []string{"cat *"}, true},
		{"f() { ls; }; f", []string{"ls *"}, false},
	} {
		if got, why := grantedBy(row.text, row.patterns...); (got == hook.Yes) != row.want {
			t.Errorf("%q by %q: got %v (%s)", row.text, row.patterns, got, why)
		}
	}
}
