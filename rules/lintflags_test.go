package rules

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

func TestLintBraces(t *testing.T) {
	for pattern, want := range map[string]string{
		"Bash(git push {--force,-f} *)":     "",
		"Bash(rm {-r,-R} {-f})":             "",
		"Bash(find * {-delete})":            "",
		"Bash(git push {-f}:*)":             "",
		"Bash(awk '{print $1}' *)":          "",
		`Bash(curl -d {"a":1,"b":2} *)`:     "",
		"Bash(git push {--force,f} *)":      "not all of its members",
		"Bash(git push {--force, -f} *)":    "a blank in it",
		"Bash(rm {-rf} *)":                  "{-r} {-f}",
		"Bash(git push {--force *)":         "not closed",
		"Bash({-r} *)":                      "no word of its own",
		"Bash(rm x{-r} *)":                  "no word of its own",
		"Bash(npm run {build,test})":        "only flags are alternatives",
		"Bash(git push {--force=x,-f} *)":   "without its value",
		"Bash(git push {--force-with-*} *)": "without its value",
	} {
		_, diags := If(hook.Text{Value: pattern}, Scope{Event: hook.PreToolUse})
		text := ""
		for _, d := range diags {
			text += d.Message + " " + d.Advice + "\n"
		}
		if want == "" && text != "" || !strings.Contains(text, want) {
			t.Errorf("%s: got %q, want %q", pattern, text, want)
		}
	}
	_, diags := When(hook.Text{Value: `bash("git push {--force,f} *")`}, Scope{Event: hook.PreToolUse})
	if len(diags) != 1 {
		t.Errorf("in a condition: %v", diags)
	}
}
