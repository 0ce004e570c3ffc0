package settings

import (
	"path/filepath"
	"testing"
)

func TestAgent(t *testing.T) {
	run(t, []row{
		{"hooks", "x/.claude/agents/rev.md", "---\nname: rev\ndescription: reviews\ntools: Bash\nhooks:\n  PreToolUse:\n    - {matcher: Bash, hooks: [{type: a}]}\n  Stop:\n    - hooks: [{type: a}]\n---\nYou review.\n",
			`hooks.PreToolUse[0].hooks[0] PreToolUse 7:31 type=a matcher="Bash"@7:17 within="agent_type == \"rev\""@7:31
hooks.Stop[0].hooks[0] SubagentStop 9:15 type=a within="subject == \"rev\""@9:15
`},
		{"named by its file", "x/.claude/agents/rev.md", "---\nhooks: {SubagentStart: [{hooks: [{type: a, when: 'cwd == \"/\"'}]}]}\n---\n",
			`hooks.SubagentStart[0].hooks[0] SubagentStart 2:34 type=a when="cwd == \"/\""@2:50 within="subject == \"rev\""@2:34
`},
		{"a page", "x/.claude/agents/README.md", "# Agents\nhooks:\n", ""},
		{"elsewhere", "x/agents/rev.md", "---\nname: rev\n---\nhooks: 1\n",
			"error: f:3:1: a second document: only one is read (remove the --- line, or put the rest into a file of its own)\nBROKEN\n"},
		{"not YAML, no hooks", "x/.claude/agents/rev.md", "---\nname: rev\ndescription: use it: always\n---\n",
			"warning: f:3:20: not valid YAML: mapping values are not allowed in this context (quote it: a colon and a space begin a mapping in YAML; write 'use it: always')\n"},
		{"not YAML", "x/.claude/agents/rev.md", "---\nname: rev\nhooks: [\n---\n",
			`hooks PreToolUse 3:8 within="agent_type == \"rev\""@3:8 BROKEN
error: f:3:8: not valid YAML: did not find expected node content (close the bracket, or quote the whole value)
`},
		{"no hooks at all", "x/.claude/agents/rev.md", "---\nname: rev\nhooks: 1\n---\n",
			`hooks PreToolUse 3:8 within="agent_type == \"rev\""@3:8 BROKEN
error: f:3:8: hooks: expected a mapping from events to lists, got the number 1
`},
		{"two hooks keys", "x/.claude/agents/rev.md", "---\nname: rev\nhooks: {}\nhooks: {}\n---\n",
			`hooks PreToolUse 4:1 within="agent_type == \"rev\""@4:1 BROKEN
error: f:4:1: hooks: duplicate key "hooks", first in line 3 (keep one of them)
`},
		{"misspelt", "x/.claude/agents/rev.md", "---\nname: rev\nhook: {}\n---\n",
			"warning: f:3:1: hook: unknown key \"hook\" (did you mean \"hooks\"?)\n"},
	})
}

func TestAgentSearch(t *testing.T) {
	agent := "---\nhooks: {Stop: [{hooks: [{type: permission}]}]}\n---\n"
	root := tree(t, map[string]string{
		"p/.claude/agents/b.md":    agent,
		"p/.claude/agents/a.md":    agent,
		"p/.claude/agents/.c.md":   agent,
		"p/.claude/agents/d.txt":   agent,
		"home/.claude/agents/u.md": agent,
	})
	opts := Options{Workspace: filepath.Join(root, "p"), Home: filepath.Join(root, "home"), Managed: filepath.Join(root, "none")}
	same(t, loaded(t, root, opts), "")
	opts.Claude = true
	same(t, loaded(t, root, opts), `
user home/.claude/agents/u.md in "home/.claude" hooks.Stop[0].hooks[0] claude
project p/.claude/agents/a.md in "p" hooks.Stop[0].hooks[0] claude
project p/.claude/agents/b.md in "p" hooks.Stop[0].hooks[0] claude
`)
	same(t, loaded(t, root, Options{Files: []string{filepath.Join(root, "p/.claude/agents/a.md")}, Managed: filepath.Join(root, "none")}), `
project p/.claude/agents/a.md in "p" hooks.Stop[0].hooks[0] claude trusted
`)
}
