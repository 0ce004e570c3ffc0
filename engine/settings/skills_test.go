package settings

import (
	"path/filepath"
	"testing"
)

func TestSkill(t *testing.T) {
	run(t, []row{
		{"hooks", "x/skills/fmt/SKILL.md", "\n\n---\nname: fmt\ndescription: formats\nallowed-tools: Read\nhooks:\n  Stop:\n    - hooks: [{type: a}]\n---\n# Body\nhooks: 1\n",
			"hooks.Stop[0].hooks[0] Stop 9:15 type=a\n"},
		{"byte order mark, CRLF", "fmt/SKILL.md", "\ufeff---\r\nname: fmt\r\ndescription: d\r\nhooks:\r\n  Stop: [{hooks: [{type: a}]}]\r\n---\r\n", "hooks.Stop[0].hooks[0] Stop 5:19 type=a\n"},
		{"rule of the end is alone on its line", "fmt/SKILL.md", "---\nname: fmt\ndescription: d\nhooks:\n  Stop: [{hooks: [{type: --- }]}]\n---   \nx", "hooks.Stop[0].hooks[0] Stop 5:19 type=---\n"},
		{"no frontmatter", "fmt/SKILL.md", "# A skill\n---\n", "warning: f:1:1: not a skill: no frontmatter between two lines of ---\n"},
		{"open frontmatter", "fmt/SKILL.md", "---\nname: x\n", "warning: f:1:1: not a skill: no frontmatter between two lines of ---\n"},
		{"no description", "fmt/SKILL.md", "---\nname: x\nhooks: {}\n---\n", "warning: f:2:1: description: missing or empty: agents do not load such a skill, nor do its hooks run (describe when to use the skill)\n"},
		{"nothing", "fmt/SKILL.md", "---\n---\n", "warning: f:2:1: description: missing or empty: agents do not load such a skill, nor do its hooks run (describe when to use the skill)\n"},
		{"other name", "fmt/SKILL.md", "---\nname: x\ndescription: d\n---\n", "warning: f:2:7: name: skill \"x\" is in a directory named \"fmt\"\n"},
		{"not YAML, no hooks", "fmt/SKILL.md", "---\nname: fmt\ndescription: use it: always\n---\n",
			"warning: f:3:20: not valid YAML: mapping values are not allowed in this context (quote it: a colon and a space begin a mapping in YAML; write 'use it: always')\n"},
		{"not YAML, hooks", "fmt/SKILL.md", "---\nname: fmt\ndescription: use it: always\nhooks: {}\n---\n",
			"error: f:3:20: not valid YAML: mapping values are not allowed in this context (quote it: a colon and a space begin a mapping in YAML; write 'use it: always')\nBROKEN\n"},
		{"a list", "fmt/SKILL.md", "---\n- a\n---\n", "warning: f:2:1: expected a mapping in the frontmatter, got a list\n"},
		{"what has no effect", "fmt/SKILL.md", "---\nname: fmt\ndescription: d\nrules: []\nhook: {}\ntools: x\ntriggers: []\n---\n", `
warning: f:4:1: rules: has no effect: of a skill only its hooks are read
warning: f:5:1: hook: unknown key "hook" (did you mean "hooks"?)
`},
		{"two hooks keys", "fmt/SKILL.md", "---\nname: fmt\ndescription: d\nhooks:\nhooks:\n---\n", "error: f:5:1: hooks: duplicate key \"hooks\", first in line 4 (keep one of them)\nBROKEN\n"},
	})
}

func TestSkillSearch(t *testing.T) {
	root := tree(t, map[string]string{
		"skills/a/SKILL.md":              skill("a", skillHook),
		"skills/a/inner/SKILL.md":        skill("inner", skillHook),
		"skills/node_modules/n/SKILL.md": skill("n", skillHook),
		"skills/.git/g/SKILL.md":         skill("g", skillHook),
		"skills/1/2/3/4/SKILL.md":        skill("4", skillHook),
		"skills/1/2/3/x/5/SKILL.md":      skill("5", skillHook),
		"skills/linked":                  "->../elsewhere/linked",
		"elsewhere/linked/SKILL.md":      skill("linked", skillHook),
		"skills/dead":                    "->nowhere",
		"skills/z/SKILL.md":              "---\nname: z\n---\n",
		"skills/z/hooks.json":            `{"Stop":[{"hooks":[{"type":"permission"}]}]}`,
		".agents/skills/a/SKILL.md":      skill("a", skillHook),
		".agents/skills/a/hooks.json":    `{"Stop":[{"hooks":[{"type":"permission"}]}]}`,
		".agents/skills/b/SKILL.md":      skill("b", ""),
		".agents/skills/b/hooks.json":    `{"Stop":`,
	})
	same(t, loaded(t, root, Options{Workspace: root, Managed: filepath.Join(root, "none")}), `
skill:4 skills/1/2/3/4/SKILL.md in "skills/1/2/3/4" hooks.Stop[0].hooks[0]
skill:a skills/a/SKILL.md in "skills/a" hooks.Stop[0].hooks[0]
skill:linked skills/linked/SKILL.md in "elsewhere/linked" hooks.Stop[0].hooks[0]
skill skills/z/SKILL.md in "skills/z"
  warning: skills/z/SKILL.md:2:1: description: missing or empty: agents do not load such a skill, nor do its hooks run (describe when to use the skill)
skill:a .agents/skills/a/SKILL.md in ".agents/skills/a"
  note: .agents/skills/a/SKILL.md: left out: the skill a is that of skills/a/SKILL.md
skill:b .agents/skills/b/SKILL.md in ".agents/skills/b"
skill:b .agents/skills/b/hooks.json in ".agents/skills/b" BROKEN
  error: .agents/skills/b/hooks.json:1:9: not valid JSON: the text ends in the middle of a value
`)
}
