package settings

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// agents reads the definitions of Claude Code's subagents below dir/.claude,
// if its settings are wanted. The directory is a source too.
func (l *loader) agents(src hook.Source, dir string) {
	if !l.opts.Claude {
		return
	}
	src.Style = hook.Claude
	dir = filepath.Join(dir, ".claude", "agents")
	l.looked[dir] = true
	names, err := l.listing(l.over(src), dir)
	if err != nil {
		src.File = dir
		l.unreadable(src, err)
		return
	}
	for _, name := range names {
		if filepath.Ext(name) == ".md" && !strings.HasPrefix(name, ".") {
			src.File = filepath.Join(dir, name)
			l.file(src)
		}
	}
}

// isAgent reports whether path is that of the definition of a subagent.
func isAgent(path string) bool {
	dir := filepath.Dir(path)
	return filepath.Ext(path) == ".md" && filepath.Base(dir) == "agents" && filepath.Base(filepath.Dir(dir)) == ".claude"
}

// agent reads the hooks in the frontmatter of a subagent's definition, which
// run while that agent does. What is broken there breaks that agent alone.
func (d *decoder) agent() {
	from, to, ok := frontmatter(d.text.data)
	if !ok {
		return // a page among them
	}
	name := strings.TrimSuffix(filepath.Base(d.text.file), ".md")
	root, bad := readYAML(d.text, from, to)
	if bad == nil && root != nil && root.kind != mapNode {
		bad = d.text.broken(from, "expected a mapping in the frontmatter, got "+root.describe(), "")
	}
	switch {
	case bad != nil && bytes.Contains(d.text.data[from:to], []byte("hooks")):
		d.lost(*bad)
	case bad != nil:
		d.report(hook.Warning, bad.Pos, bad.Path, bad.Message, bad.Advice)
	case root != nil:
		if n := root.get("name"); n != nil && n.kind == textNode && n.text != "" {
			name = n.text
		}
		d.agentKeys(root)
	}
	d.within(name)
}

func (d *decoder) agentKeys(root *node) {
	for _, f := range root.faults {
		if f.key == "hooks" {
			d.Broken = true
		}
		d.report(hook.Error, f.pos, f.key, f.message, f.advice)
	}
	for _, m := range root.members {
		switch {
		case m.name == "hooks":
			d.hooks(m.value)
		case hook.Nearest(m.name, []string{"hooks", "tools", "skills", "model"}) == "hooks":
			d.report(hook.Warning, m.pos, m.name, fmt.Sprintf("unknown key %q", m.name), hook.DidYouMean(m.name, []string{"hooks"}))
		}
	}
}

// within has all hooks of the file run in one agent only, whose Stop is a
// SubagentStop.
func (d *decoder) within(agent string) {
	if d.Broken {
		d.Broken = false
		bad := d.Diagnostics[len(d.Diagnostics)-1]
		for _, diag := range d.Diagnostics {
			if diag.Severity == hook.Error {
				bad = diag
				break
			}
		}
		d.stub(hook.Spec{ID: "hooks", Event: hook.PreToolUse, Pos: bad.Pos}, &bad)
	}
	for i := range d.Specs {
		s := &d.Specs[i]
		if s.Event == hook.Stop {
			s.Event = hook.SubagentStop
		}
		field := "agent_type"
		if s.Event == hook.SubagentStart || s.Event == hook.SubagentStop {
			field = "subject"
		}
		s.Within = hook.Text{Value: fmt.Sprintf("%s == %q", field, agent), Pos: s.Pos}
	}
}
