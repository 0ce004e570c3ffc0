package engine

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Change tells what a reload did.
type Change struct {
	// Files are those whose content is another than in the set before, in the
	// order of their layers.
	Files []FileChange
	// Snapshot names the set in force now.
	Snapshot string
	// Err says why the set before is still in force; nil if it is not.
	Err error
}

// FileChange tells what one changed file does to the set of hooks.
type FileChange struct {
	Path   string
	Source hook.Source
	Kind   ChangeKind
	// Added, Removed and Changed name hooks and permission rules; of a file that
	// hooks run, Changed are these hooks.
	Added, Removed, Changed []string
	// Kept says why what the file said before stays in force; "" if it does
	// not.
	Kept string
}

// ChangeKind is what happened to a file.
type ChangeKind string

const (
	FileAdded    ChangeKind = "added"
	FileModified ChangeKind = "modified"
	FileRemoved  ChangeKind = "removed"
)

// Summary says in one line what the file changes.
func (f FileChange) Summary() string {
	var parts []string
	for _, p := range []struct {
		names []string
		verb  string
	}{{f.Added, "added"}, {f.Removed, "removed"}, {f.Changed, "changed"}} {
		if len(p.names) > 0 {
			parts = append(parts, fmt.Sprintf("%s: %s", p.verb, few(p.names)))
		}
	}
	if len(parts) == 0 {
		return "no hook or rule is another"
	}
	return strings.Join(parts, "; ")
}

// few is a list of names, of which it shows the first ones.
func few(names []string) string {
	const most = 5
	names = slices.Compact(slices.Clone(names))
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// String says what happened to the file, in one line.
func (f FileChange) String() string {
	s := fmt.Sprintf("%s %s: %s", f.Path, f.Kind, f.Summary())
	if f.Kept != "" {
		s += "; what it said before stays in force: " + f.Kept
	}
	return s
}

// entry is a hook or a rule, as far as a person would call it another one.
type entry struct{ id, text string }

// fileOf is the file that b is written in.
func (s *snapshot) fileOf(b *bound) string {
	return under(s.root, filepath.FromSlash(b.spec.Pos.File))
}

// entries are the hooks and rules that come from the file at path.
func (s *snapshot) entries(path string) []entry {
	var list []entry
	for _, b := range s.hooks {
		if b.spec.Type != lostType && s.fileOf(b) == path {
			text := fmt.Sprintf("%+v", b.definition())
			for _, f := range b.spec.Fields { // without their places: lines may move
				text += fmt.Sprintf(" %s=%v", f.Name, f.Value)
			}
			list = append(list, entry{b.spec.ID, text})
		}
	}
	for _, r := range s.permissions {
		if r.spec.Text.Pos.File == path {
			list = append(list, entry{r.spec.ID, fmt.Sprint(r.spec.Verdict, r.spec.Text.Value, r.spec.Unknown)})
		}
	}
	return entriesOf(entriesOf(list, s.tasks, path), s.subagents, path)
}

// entriesOf adds the sections of the file at path that are called around tasks
// or subagents to list.
func entriesOf[H any](list []entry, all []around[H], path string) []entry {
	for _, a := range all {
		if a.text != "" && a.source.File == path {
			list = append(list, entry{a.id, a.text})
		}
	}
	return list
}

// compare fills in what becomes of the entries of the file.
func (f *FileChange) compare(old, next *snapshot) {
	if runs := append(slices.Clone(old.texts[f.Path].runs), next.texts[f.Path].runs...); len(runs) > 0 {
		slices.Sort(runs)
		f.Changed = slices.Compact(runs)
		return
	}
	before, after := old.entries(f.Path), next.entries(f.Path)
	same := func(list []entry) func(entry) bool {
		left := map[string]int{}
		for _, e := range list {
			left[e.text]++
		}
		return func(e entry) bool { left[e.text]--; return left[e.text] >= 0 }
	}
	inAfter, inBefore := same(after), same(before)
	gone := slices.DeleteFunc(slices.Clone(before), inAfter)
	come := slices.DeleteFunc(slices.Clone(after), inBefore)
	for _, e := range come {
		i := slices.IndexFunc(gone, func(g entry) bool { return g.id == e.id })
		if i < 0 {
			f.Added = append(f.Added, e.id)
			continue
		}
		f.Changed, gone = append(f.Changed, e.id), slices.Delete(gone, i, i+1)
	}
	for _, e := range gone {
		f.Removed = append(f.Removed, e.id)
	}
}
