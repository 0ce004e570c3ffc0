package engine

import (
	"github.com/pawl-dev/pawl/engine/hook"
)

// guardedPaths are the files that decide what an agent may do: Pawl's own and
// the settings of agents. The agent must not write them by itself.
var guardedPaths = []string{
	"//**/pawl.yaml", "//**/.pawl/**", "//**/echo-agent.yaml",
	"//**/.config/pawl/**", "//etc/pawl/**",
	"//**/.claude/settings.json", "//**/.claude/settings.local.json", "//**/.claude/hooks/**",
	"//**/.gemini/settings.json", "//**/.codex/config.toml", "//**/.codex/hooks.json",
	"//**/.cursor/hooks.json", "//**/.qwen/settings.json",
}

const guardReason = "this file decides what the agent may do; a person should agree before the agent changes it"

// builtin adds the guard of Pawl's own files: file tools ask before they
// write them, and so does `pawl trust`.
func (b *builder) builtin() {
	matcher := "Bash(pawl trust *)"
	for _, tool := range [...]string{"Edit", "Write", "MultiEdit", "NotebookEdit"} {
		for _, p := range guardedPaths {
			matcher += "|" + tool + "(" + p + ")"
		}
	}
	for _, event := range [...]hook.EventName{hook.PreToolUse, hook.PermissionRequest} {
		b.add(hook.Spec{
			ID:      "builtin.guard",
			Event:   event,
			Source:  hook.Source{Layer: hook.Builtin, Dir: b.set.Root},
			Type:    "permission",
			Matcher: hook.Text{Value: matcher},
			Unknown: hook.UnknownSkip,
			Fields:  []hook.Field{{Name: "decision", Value: "ask"}, {Name: "reason", Value: guardReason}},
		}, b.cfg.types["permission"], true)
	}
}
