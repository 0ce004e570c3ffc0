package settings

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// skill reads the frontmatter of a SKILL.md: its hooks, and its name into the
// Source; no name means that agents do not load it. A text that cannot be read is a broken File only if it may have
// hooks: other agents write frontmatter that is not valid YAML.
func (d *decoder) skill() {
	from, to, ok := frontmatter(d.text.data)
	if !ok {
		d.report(hook.Warning, d.text.pos(0), "", "not a skill: no frontmatter between two lines of ---", "")
		return
	}
	d.Source.Name = filepath.Base(filepath.Dir(d.text.file))
	root, bad := readYAML(d.text, from, to)
	if bad == nil && root != nil && root.kind != mapNode {
		bad = d.text.broken(from, "expected a mapping in the frontmatter, got "+root.describe(), "")
	}
	switch {
	case bad != nil && bytes.Contains(d.text.data[from:to], []byte("hooks")):
		d.lost(*bad)
	case bad != nil:
		d.report(hook.Warning, bad.Pos, bad.Path, bad.Message, bad.Advice)
	case root == nil:
		d.undescribed(d.text.pos(from))
	default:
		d.skillKeys(root)
	}
}

// frontmatter returns the bytes between the first line, which must be ---,
// and the next line that is --- alone.
func frontmatter(data []byte) (from, to int, ok bool) {
	rest := bytes.TrimLeft(bytes.TrimPrefix(data, bom), " \t\r\n")
	start := len(data) - len(rest)
	from = lineEnd(data, start)
	if !ruled(data[start:from]) {
		return 0, 0, false
	}
	for to = from; to < len(data); {
		end := lineEnd(data, to)
		if ruled(data[to:end]) {
			return from, to, true
		}
		to = end
	}
	return 0, 0, false
}

// lineEnd returns the offset behind the line that begins at i.
func lineEnd(data []byte, i int) int {
	if n := bytes.IndexByte(data[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(data)
}

func ruled(line []byte) bool { return string(bytes.TrimRight(line, " \t\r\n")) == "---" }

func (d *decoder) skillKeys(root *node) {
	if root.get("description") == nil || root.get("description").text == "" {
		d.undescribed(root.pos)
		return
	}
	d.skillName(root)
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
		case slices.Contains(topKeys, m.name):
			d.report(hook.Warning, m.pos, m.name, "has no effect: of a skill only its hooks are read", "")
		case hook.Nearest(m.name, []string{"hooks", "tools", "roles"}) == "hooks":
			d.report(hook.Warning, m.pos, m.name, fmt.Sprintf("unknown key %q", m.name), hook.DidYouMean(m.name, []string{"hooks"}))
		}
	}
}

func (d *decoder) undescribed(pos hook.Position) {
	d.Source.Name = ""
	d.report(hook.Warning, pos, "description", "missing or empty: agents do not load such a skill, nor do its hooks run",
		"describe when to use the skill")
}

// skillName takes the name of the skill into the Source.
func (d *decoder) skillName(root *node) {
	const longest = 64
	dir, name := d.Source.Name, root.get("name")
	if name == nil || name.kind != textNode || name.text == "" {
		return
	}
	d.Source.Name = name.text
	switch {
	case name.text != dir:
		d.report(hook.Warning, name.pos, "name", fmt.Sprintf("skill %q is in a directory named %q", clip(name.text), dir), "")
	case len(name.text) > longest:
		d.report(hook.Warning, name.pos, "name", fmt.Sprintf("longer than %d bytes", longest), "")
	}
}
