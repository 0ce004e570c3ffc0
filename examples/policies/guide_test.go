package policies_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/pawl-dev/pawl/lua"
)

const guide = "../../docs/lua.md"

var (
	block = regexp.MustCompile("(?ms)^(?:<!-- (\\w+) -->\n)?```(\\w*)\n(.*?)^```$")
	stub  = regexp.MustCompile(`(?m)^function ([\w.]+)\(`)
	field = regexp.MustCompile(`(?m)^---@field (\w+)`)
)

// TestGuide runs every block of the guide: a policy must load without a
// fault, and decide as the cases, or fail with the reason, that follow it.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	dir, policies, judged := "", 0, 0
	for _, b := range block.FindAllStringSubmatch(string(text), -1) {
		mark, language, body := b[1], b[2], b[3]
		switch {
		case mark == "policy" && language == "lua":
			dir = writePolicy(t, "policies: [policies/]\n", body)
			clean(t, dir)
			policies++
		case mark == "settings" && language == "yaml":
			clean(t, writePolicy(t, body, ""))
		case mark == "reason":
			dec := open(t, dir).Dispatch(t.Context(), decode(t, map[string]any{"bash": "ls"}, dir))
			if !strings.Contains(dec.Reason(), strings.TrimSpace(body)) {
				t.Errorf("the guide shows %q, the reason is %q", body, dec.Reason())
			}
			judged++
		case language == "yaml" && strings.HasPrefix(body, "cases:"):
			var file struct{ Cases []policyCase }
			if err := yaml.Unmarshal([]byte(body), &file); err != nil {
				t.Fatal(err)
			}
			judge(t, dir, file.Cases)
			judged++
		case body != "policies: [policies/]\n":
			t.Errorf("a block that nothing runs:\n%s", body)
		}
	}
	if policies < 5 || judged != policies {
		t.Errorf("%d policies, %d of them judged", policies, judged)
	}
}

func writePolicy(t *testing.T, settings, policy string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "policies"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"pawl.yaml": settings, "policies/policy.lua": policy} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
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
