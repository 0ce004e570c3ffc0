package policies_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/lua"
)

const guide = "../../docs/lua.md"

var (
	block = regexp.MustCompile("(?ms)^(?:<!-- (\\w+) -->\n)?```(\\w*)\n(.*?)^```$")
	stub  = regexp.MustCompile(`(?m)^function ([\w.]+)\(`)
	field = regexp.MustCompile(`(?m)^---@field (\w+)`)
)

// TestGuide runs every block of the guide: a policy must load without a
// fault, and pass the tests, or fail with the reason, that follow it.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	home := homeless(t)
	dir, policies, judged := "", 0, 0
	for _, b := range block.FindAllStringSubmatch(string(text), -1) {
		mark, language, body := b[1], b[2], b[3]
		switch {
		case mark == "policy" && language == "lua":
			dir = t.TempDir()
			write(t, dir, "pawl.yaml", "policies: [policies/]\n")
			write(t, dir, "policies/policy.lua", body)
			clean(t, dir)
			policies++
			continue
		case mark == "settings" && language == "yaml":
			settings := t.TempDir()
			write(t, settings, "pawl.yaml", body)
			clean(t, settings)
			continue
		case mark == "reason":
			write(t, dir, "pawl_test.yaml", "cases:\n  - bash: ls\n    want: deny\n    reason: \""+strings.TrimSpace(body)+"\"\n")
		case mark == "test":
			write(t, dir, "policies/policy_test.lua", body)
		case language == "yaml" && strings.HasPrefix(body, "cases:"):
			write(t, dir, "pawl_test.yaml", body)
		case body == "policies: [policies/]\n":
			continue
		default:
			t.Errorf("a block that nothing runs:\n%s", body)
			continue
		}
		if report := pass(t, home, dir); report.Passed == 0 {
			t.Errorf("no test passed:\n%s", body)
		}
		judged++
	}
	if policies < 6 || judged < policies {
		t.Errorf("%d policies, %d tests of them", policies, judged)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestGuideIsWhole: the guide names every function that a policy can call
// and every field that it can read.
func TestGuideIsWhole(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, w := range regexp.MustCompile(`\w+`).FindAllString(string(text), -1) {
		words[w] = true
	}
	stubs := lua.Stubs()
	for _, m := range stub.FindAllStringSubmatch(stubs, -1) {
		module, name, inside := strings.Cut(m[1], ".")
		if !inside {
			name = module
		}
		if module != "string" && module != "table" && module != "math" && !words[name] {
			t.Errorf("the guide does not name %s", m[1])
		}
	}
	for _, m := range field.FindAllStringSubmatch(stubs, -1) {
		if !words[m[1]] {
			t.Errorf("the guide does not name the field %s", m[1])
		}
	}
}
