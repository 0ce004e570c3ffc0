package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/hook"
)

// tree writes files below a new directory. "->x" makes a symbolic link.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if to, link := strings.CutPrefix(text, "->"); link {
			err = os.Symlink(to, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// rule is a settings file with one rule of that name.
func rule(name string) string { return "rules: [{name: " + name + ", on: Stop}]\n" }

func claudeHook(command string) string {
	return `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"` + command + `"}]}]}}`
}

func skill(name, rest string) string {
	return "---\nname: " + name + "\ndescription: d\n" + rest + "---\n# Text\n"
}

const skillHook = "hooks:\n  Stop:\n    - hooks: [{type: permission}]\n"

// loaded writes a Set in short: a line for each file and what is in it.
func loaded(t *testing.T, root string, opts Options) string {
	t.Helper()
	if opts.Managed == "" {
		opts.Managed = filepath.Join(root, "etc")
	}
	set, err := Load(opts)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range set.Files {
		rel := func(p string) string { return strings.TrimPrefix(strings.TrimPrefix(p, root), "/") }
		fmt.Fprintf(&b, "%v %s in %q", f.Source, rel(f.Source.File), rel(f.Source.Dir))
		if f.Source.Layer == hook.Plugin {
			fmt.Fprintf(&b, " by %v", f.Source.By)
		}
		for _, s := range f.Specs {
			fmt.Fprintf(&b, " %s", s.ID)
			if s.Source != f.Source {
				t.Errorf("%s: source of %s is %v", f.Source.File, s.ID, s.Source)
			}
		}
		if f.Source.Style == hook.Claude && f.Source.Layer != hook.Plugin {
			b.WriteString(" claude")
		}
		if f.Trusted {
			b.WriteString(" trusted")
		}
		if f.Broken {
			b.WriteString(" BROKEN")
		}
		b.WriteByte('\n')
		for _, d := range f.Diagnostics {
			d.Pos.File = rel(d.Pos.File)
			fmt.Fprintf(&b, "  %s: %s\n", d.Severity, strings.ReplaceAll(d.Error(), root+"/", ""))
		}
	}
	return b.String()
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.TrimLeft(want, "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestLayers(t *testing.T) {
	root := tree(t, map[string]string{
		"etc/managed.yaml":                 rule("managed"),
		"etc/managed.d/20.yaml":            rule("m20"),
		"etc/managed.d/10.yaml":            rule("m10"),
		"home/.config/pawl/pawl.yaml":      rule("user"),
		"home/.claude/settings.json":       claudeHook("u"),
		"p/pawl.yaml":                      rule("project"),
		"p/.pawl/b.yaml":                   rule("b"),
		"p/.pawl/a.yaml":                   rule("a"),
		"p/.pawl/local.yaml":               rule("local"),
		"p/.pawl/.hidden.yaml":             rule("hidden"),
		"p/.pawl/c.yml":                    rule("c"),
		"p/.pawl/README.md":                "",
		"p/.pawl/policies/x.yaml":          rule("deeper"),
		"p/echo-agent.yaml":                "model: m\n" + rule("echo"),
		"p/.claude/settings.json":          claudeHook("p"),
		"p/.claude/settings.local.json":    claudeHook("l"),
		"p/skills/s/SKILL.md":              skill("s", skillHook),
		"p/.claude/skills/t/SKILL.md":      skill("t", ""),
		"home/.agents/skills/u/SKILL.md":   skill("u", skillHook),
		"home/.agents/skills/u/hooks.json": `{"Setup":[{"hooks":[{"type":"permission"}]}]}`,
	})
	opts := Options{Workspace: filepath.Join(root, "p"), Home: filepath.Join(root, "home")}
	common := `
managed etc/managed.yaml in "etc" rules.managed trusted
managed etc/managed.d/10.yaml in "etc" rules.m10 trusted
managed etc/managed.d/20.yaml in "etc" rules.m20 trusted
user home/.config/pawl/pawl.yaml in "home/.config/pawl" rules.user
`
	own := `project p/pawl.yaml in "p" rules.project
project p/.pawl/a.yaml in "p" rules.a
project p/.pawl/b.yaml in "p" rules.b
project p/.pawl/c.yml in "p"
  warning: p/.pawl/c.yml: not read: only files that end in .yaml are (rename it)
project p/echo-agent.yaml in "p" rules.echo
`
	local := "local p/.pawl/local.yaml in \"p\" rules.local\n"
	skills := `skill:s p/skills/s/SKILL.md in "p/skills/s" hooks.Stop[0].hooks[0]
skill:t p/.claude/skills/t/SKILL.md in "p/.claude/skills/t"
skill:u home/.agents/skills/u/SKILL.md in "home/.agents/skills/u" hooks.Stop[0].hooks[0]
skill:u home/.agents/skills/u/hooks.json in "home/.agents/skills/u" Setup[0].hooks[0]
`
	same(t, loaded(t, root, opts), common+own+local+skills)

	opts.Claude = true
	same(t, loaded(t, root, opts), common+
		"user home/.claude/settings.json in \"home/.claude\" hooks.Stop[0].hooks[0] claude\n"+own+
		"project p/.claude/settings.json in \"p\" hooks.Stop[0].hooks[0] claude\n"+local+
		"local p/.claude/settings.local.json in \"p\" hooks.Stop[0].hooks[0] claude\n"+skills)

	opts = Options{Workspace: opts.Workspace, ConfigHome: filepath.Join(root, "home", ".config")}
	same(t, loaded(t, root, opts), common+own+local+strings.SplitAfter(skills, "skills/t\"\n")[0])
}

func TestNamedFiles(t *testing.T) {
	root := tree(t, map[string]string{
		"etc/managed.yaml":        rule("managed"),
		"home/pawl.yaml":          rule("user"),
		"p/pawl.yaml":             rule("project"),
		"q/policy.yaml":           rule("q"),
		"q/link.yaml":             "->policy.yaml",
		"q/.pawl/x.yaml":          rule("x"),
		"q/.claude/settings.json": claudeHook("c"),
		"q/hooks/hooks.json":      claudeHook("plugin"),
		"q/skill/SKILL.md":        skill("skill", skillHook),
		"q/skill/hooks.json":      claudeHook("skill"),
		"q/dir.yaml/keep":         "",
		"q/broken.yaml":           "rules: *\n",
	})
	at := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.Join(root, "q", n))
		}
		return paths
	}
	opts := Options{Workspace: filepath.Join(root, "p"), Home: filepath.Join(root, "home"), Claude: true,
		Files: at("policy.yaml", "link.yaml", ".pawl/x.yaml", ".claude/settings.json", "hooks/hooks.json", "skill/hooks.json", "dir.yaml", "broken.yaml")}
	same(t, loaded(t, root, opts), `
managed etc/managed.yaml in "etc" rules.managed trusted
project q/policy.yaml in "q" rules.q trusted
  note: q/link.yaml: is q/policy.yaml: it is loaded once, as the project layer
project q/.pawl/x.yaml in "q" rules.x trusted
project q/.claude/settings.json in "q" hooks.Stop[0].hooks[0] claude trusted
project q/hooks/hooks.json in "q/hooks" hooks.Stop[0].hooks[0] claude trusted
project q/skill/hooks.json in "q/skill" hooks.Stop[0].hooks[0] trusted
project q/dir.yaml in "q" trusted BROKEN
  error: q/dir.yaml: is a directory, expected a file
project q/broken.yaml in "q" trusted BROKEN
  error: q/broken.yaml:1:8: not valid YAML: did not find expected alphabetic or numeric character (quote it: a value that begins with * is an alias in YAML; write '*')
`)

	set, err := Load(Options{Files: at("policy.yaml"), Managed: filepath.Join(root, "none")})
	if err != nil || set.Root != filepath.Join(root, "q") || len(set.Files) != 1 {
		t.Errorf("without a workspace: %+v, %v", set, err)
	}
	for _, opts := range []Options{
		{},
		{Workspace: filepath.Join(root, "none")},
		{Workspace: filepath.Join(root, "p", "pawl.yaml")},
		{Files: at("none.yaml")},
		{Workspace: root, Files: at("policy.yaml", "none.yaml")},
	} {
		if set, err := Load(opts); err == nil {
			t.Errorf("%+v: no error but %+v", opts, set)
		}
	}
}

// B102: the same file reached in two ways is one file.
func TestSameFileLoadsOnce(t *testing.T) {
	root := tree(t, map[string]string{
		".claude/settings.json":  claudeHook("x"),
		"p/.pawl/a.yaml":         "->../pawl.yaml",
		"p/pawl.yaml":            rule("a"),
		"p/.pawl/b.yaml":         "->b.data",
		"p/.pawl/b.data":         rule("b"),
		"p/.agents/skills":       "->../skills",
		"p/skills/s/SKILL.md":    skill("s", skillHook),
		"p/skills/loop":          "->..",
		"p/.claude/skills/again": "->../../skills/s",
	})
	same(t, loaded(t, root, Options{Workspace: root, Home: root, Claude: true}), `
user .claude/settings.json in ".claude" hooks.Stop[0].hooks[0] claude
  note: .claude/settings.json: is .claude/settings.json: it is loaded once, as the user layer
`)
	same(t, loaded(t, root, Options{Workspace: filepath.Join(root, "p")}), `
project p/pawl.yaml in "p" rules.a
  note: p/.pawl/a.yaml: is p/pawl.yaml: it is loaded once, as the project layer
project p/.pawl/b.yaml in "p" rules.b
skill:s p/skills/s/SKILL.md in "p/skills/s" hooks.Stop[0].hooks[0]
`)
}

func TestSources(t *testing.T) {
	root := tree(t, map[string]string{"p/pawl.yaml": "", "p/skills/a/SKILL.md": skill("a", ""), "p/skills/b/keep": ""})
	set, err := Load(Options{Workspace: filepath.Join(root, "p"), Home: filepath.Join(root, "h"), Managed: filepath.Join(root, "etc")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range set.Sources() {
		got = append(got, strings.TrimPrefix(s, root+"/"))
	}
	want := []string{"etc/managed.d", "etc/managed.yaml", "h/.agents/skills", "h/.config/pawl/pawl.yaml",
		"p/.agents/skills", "p/.claude/skills", "p/.pawl", "p/.pawl/local.yaml", "p/echo-agent.yaml", "p/pawl.yaml",
		"p/skills", "p/skills/a", "p/skills/a/SKILL.md", "p/skills/a/hooks.json", "p/skills/b"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if set.Root != filepath.Join(root, "p") {
		t.Errorf("root %s", set.Root)
	}
}

func TestHash(t *testing.T) {
	a, b := parse("pawl.yaml", "# a"), parse("pawl.yaml", "# b")
	if a.Hash == b.Hash || a.Hash != parse("other.yaml", "# a").Hash || len(a.Hash) != 64 {
		t.Errorf("hashes %s and %s", a.Hash, b.Hash)
	}
}
