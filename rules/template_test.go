package rules

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

func TestLintTemplate(t *testing.T) {
	for _, c := range []struct {
		event      hook.EventName
		text, want string // "" for nothing
	}{
		{hook.PreToolUse, "no: ${tool_input.a.b} ${ cwd } ${tool_name}, $5 {x} ${transcript_path}", ""},
		{hook.PreCompact, "${trigger}", ""},
		{"HostsOwn", "${whatever}", ""},
		{hook.PreToolUse, "x ${nope}", "${nope} is no known field"},
		{hook.PreToolUse, "${command}", "did you mean ${tool_input.command}?"},
		{hook.PreToolUse, "${tool_inptu.command}", "did you mean ${tool_input.command}?"},
		{hook.PreToolUse, "a ${cwd} ${tool_input.command", "${ without a }"},
	} {
		diags := LintTemplate(hook.Text{Value: c.text}, Scope{Event: c.event})
		switch {
		case c.want == "" && len(diags) > 0:
			t.Errorf("%s: %v", c.text, diags)
		case c.want != "" && (len(diags) != 1 || diags[0].Severity != hook.Warning || !strings.Contains(diags[0].Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.text, diags, c.want)
		}
	}
}
