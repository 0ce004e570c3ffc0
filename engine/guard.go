package engine

import (
	"path/filepath"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
)

// guardedPaths are the files that decide what an agent may do: Pawl's own, the
// settings of agents, and the skills and plugins that bring hooks. The agent must not write them by itself. Each has
// the one segment that the index finds it by.
var guardedPaths = []struct{ pattern, segment string }{
	{"//**/pawl.yaml", "pawl.yaml"},
	{"//**/.pawl", ".pawl"},
	{"//**/echo-agent.yaml", "echo-agent.yaml"},
	{"//**/.config/pawl", ".config"},
	{"//etc/pawl", "pawl"},
	{"//**/.local/state/pawl", ".local"},
	{"//**/.claude/settings.json", "settings.json"},
	{"//**/.claude/settings.local.json", "settings.local.json"},
	{"//**/.claude/hooks", ".claude"},
	{"//**/.claude/agents", ".claude"},
	{"//**/SKILL.md", "skill.md"},
	{"//**/hooks.json", "hooks.json"},
	{"//**/.gemini/settings.json", "settings.json"},
	{"//**/.qwen/settings.json", "settings.json"},
	{"//**/.codex/config.toml", "config.toml"},
}

// guardedCommands decide it too: who trusts, and whether the engine that keeps
// what was refused and emptied goes on. Each has the words that the index finds
// it by. Signals to a process that is a number cannot be told.
var guardedCommands = []struct{ pattern, start string }{
	{"pawl trust *", "pawl trust"},
	{"pawld trust *", "pawld trust"},
	{"pawld stop *", "pawld stop"},
	{"pawld serve *", "pawld serve"},
	{"pkill *pawld*", "pkill"},
	{"killall *pawld*", "killall"},
}

const guardReason = "this decides what the agent may do; a person should agree before the agent changes it"

// builtin adds the guard of Pawl's own files: writing one of them, by a file
// tool or a shell command, asks first, and so do the guarded commands. A command
// that may write one asks too, if it names it at least in part. The patterns
// are compiled when an event comes near one of them.
func (b *builder) builtin() {
	for _, g := range guardedPaths {
		b.guard("Edit("+g.pattern+")", rules.Key{Kind: rules.KeyPath, Text: g.segment, Access: hook.Writes})
	}
	// State, and the socket of pawld: who can put another there answers calls.
	for _, name := range []string{"XDG_STATE_HOME", "XDG_RUNTIME_DIR"} {
		if dir, ok := b.cfg.env(name); ok && filepath.IsAbs(dir) {
			b.guardFile(filepath.Join(dir, "pawl"))
		}
	}
	for _, f := range b.set.Files {
		if f.Source.File != "" {
			b.guardFile(f.Source.File)
		}
	}
	if b.view.pins != nil || b.view.held != nil {
		b.guardFile(b.cfg.scratch) // the copies of scripts are there
	}
	for _, g := range guardedCommands {
		b.guard("Bash("+g.pattern+")", rules.Key{Subject: "Bash", Kind: rules.KeyStart, Text: g.start})
	}
}

// guardFile guards a file, or what is below a directory.
func (b *builder) guardFile(path string) {
	b.guard("Edit(/"+escapeGlob(path)+")", rules.Key{Kind: rules.KeyPath, Text: strings.ToLower(filepath.Base(path)), Access: hook.Writes})
}

func (b *builder) guard(pattern string, key rules.Key) {
	src := hook.Source{Layer: hook.Builtin, Dir: b.set.Root}
	if b.snap.gates.close(src, true) != "" {
		return
	}
	scope := b.scope(src)
	scope.Event, scope.Links = hook.PreToolUse, nil // compiled later, by any goroutine
	scope.Named = key.Kind == rules.KeyPath
	unknown := hook.UnknownSkip
	if scope.Named {
		unknown = hook.UnknownAsk
	}
	text := hook.Text{Value: pattern}
	b.permission = append(b.permission, &rule{
		spec:   hook.PermissionRule{ID: "builtin.guard", Source: src, Verdict: hook.Ask, Text: text, Unknown: unknown},
		reason: guardReason,
		keys:   []rules.Key{key},
		pattern: sync.OnceValue(func() *rules.Pattern {
			if p, _ := rules.Permission(text, scope); p != nil {
				return p
			}
			return &rules.Pattern{} // a file whose name no pattern can hold
		}),
	})
}

// escapeGlob makes a path the pattern of itself.
func escapeGlob(path string) string {
	var b strings.Builder
	for _, r := range path {
		if strings.ContainsRune(`\\*?[]{}!#`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
