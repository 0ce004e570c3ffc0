package engine

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

// accepted is one file of a snapshot, and whose it is.
type accepted struct {
	hook.Stand
	source hook.Source
	runs   []string // the hooks that run it; none for a settings file
	fault  error    // why it cannot be read, which a hook that runs it need not mind
}

func (a accepted) script() bool { return len(a.runs) > 0 }

// refusal keeps the accepted text of a file in force, for as long as what is
// on disk is what was refused.
type refusal struct {
	kept    accepted
	refused hook.Stand // without text if the file was removed
	script  bool       // a hook runs it
	change  FileChange // that was refused
}

// reload is one attempt to put the files on disk in force.
type reload struct {
	eng     *Engine
	old     *snapshot
	changed map[string]bool // nil means all
	refused map[string]refusal
	asked   map[string][]byte // the texts that the hooks were asked about
	report  []FileChange      // of the files refused now
}

// maxRounds bounds how often files that change while they are looked at make
// a reload begin again.
const maxRounds = 8

// Reload reads the settings again and puts them in force as a whole; running
// dispatches end on the old set. changed names the files and directories that
// have settled: of others the old text stays in force until they are named.
// It is empty for "look at everything".
//
// For each file that has changed a ConfigChange is dispatched on the old set;
// where that blocks it, the text that the file had stays in force until the
// file changes again. Managed files cannot be blocked, and what one said stays
// in force if it is removed.
//
// If some file has more errors than in the set in force, or has become empty,
// the old set stays as it is and the error is a *LoadError. With
// [WithBrokenInForce] a file that has become empty keeps its old text, and all
// else is put in force. Reload may be called concurrently; it works on one call
// at a time.
func (e *Engine) Reload(ctx context.Context, changed ...string) error {
	if !e.loads {
		return fmt.Errorf("reload: the engine was not made from files")
	}
	e.reloading.Lock()
	defer e.reloading.Unlock()
	r := &reload{eng: e, old: e.current.Load(), refused: map[string]refusal{}, asked: map[string][]byte{}}
	maps.Copy(r.refused, e.refused)
	for _, path := range changed {
		if r.changed == nil {
			r.changed = map[string]bool{}
		}
		r.changed[path] = true
	}
	next, files, err := r.run(ctx)
	if err != nil {
		next = r.old
	} else {
		for _, path := range slices.Sorted(maps.Keys(r.refused)) {
			next.kept = append(next.kept, r.refused[path].change)
		}
		e.current.Store(next)
		e.refused = r.refused
	}
	if len(files) > 0 || err != nil {
		e.cfg.changes(Change{Files: files, Snapshot: next.id, Err: err})
	}
	return err
}

// run builds the next set, asks the hooks of the old one about each file, and
// builds it once more if some were refused.
func (r *reload) run(ctx context.Context) (*snapshot, []FileChange, error) {
	r.recheck()
	for range maxRounds {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		next, err := r.build()
		if err != nil {
			return nil, nil, err
		}
		files := r.files(next)
		if err := r.judge(next, files); err != nil {
			return nil, files, err
		}
		if !r.ask(ctx, next, files) {
			r.forget(next)
			return next, append(files, r.report...), nil
		}
	}
	return nil, nil, fmt.Errorf("reload: the files change all the time")
}

// recheck forgets a refusal once the file is another than the one refused.
func (r *reload) recheck() {
	for path, x := range r.refused {
		if !r.settled(path, true) {
			continue
		}
		now := live(path)
		if !x.script {
			now.Mode = 0
		}
		if !same(now, x.refused) {
			delete(r.refused, path)
		}
	}
}

// same reports whether two files are the same to who reads or runs them.
func same(a, b hook.Stand) bool {
	return bytes.Equal(a.Text, b.Text) && (a.Text == nil) == (b.Text == nil) && a.Mode&0o111 == b.Mode&0o111
}

func (r *reload) build() (*snapshot, error) {
	set, v, err := r.eng.cfg.read(view{over: &hook.Overlay{File: r.stands, Names: r.standing}, held: r.held()})
	if err != nil {
		return nil, err
	}
	return build(r.eng.cfg, set, v), nil
}

// held stands in for the files that hooks run and whose change was refused;
// nil if there are none. Others run as they are.
func (r *reload) held() *hook.Overlay {
	files := map[string]hook.Stand{}
	for path, x := range r.refused {
		if x.script {
			files[path] = x.kept.Stand
		}
	}
	if len(files) == 0 {
		return nil
	}
	return &hook.Overlay{
		File:  func(path string) (hook.Stand, bool) { file, ok := files[path]; return file, ok },
		Names: func(string) []string { return nil },
	}
}

// stands is what is read in place of the file at path: what it was before a
// refused change, and before one that has not settled.
func (r *reload) stands(path string) (hook.Stand, bool) {
	if x, ok := r.refused[path]; ok {
		return x.kept.Stand, true
	}
	if old, known := r.old.texts[path]; !r.settled(path, known) {
		return old.Stand, true
	}
	return hook.Stand{}, false
}

// standing are the names in dir of files that stand although they may be gone.
func (r *reload) standing(dir string) []string {
	var names []string
	add := func(path string, a accepted) {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) && rel != "." && a.Text != nil {
			names = append(names, firstSegment(rel))
		}
	}
	for path, x := range r.refused {
		add(path, x.kept)
	}
	if r.changed != nil {
		for path, a := range r.old.texts {
			if !r.settled(path, true) {
				add(path, a)
			}
		}
	}
	return names
}

func firstSegment(rel string) string {
	for i := range len(rel) {
		if rel[i] == filepath.Separator {
			return rel[:i]
		}
	}
	return rel
}

// settled reports whether the file at path may be taken from disk. Directories
// that are named stand for what came into them or went.
func (r *reload) settled(path string, known bool) bool {
	if r.changed == nil || r.changed[path] {
		return true
	}
	if known && exists(path) {
		return false
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if r.changed[dir] {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// files are the changes between the old set and next.
func (r *reload) files(next *snapshot) []FileChange {
	var list []FileChange
	for _, path := range slices.Sorted(maps.Keys(merged(r.old.texts, next.texts))) {
		was, is := r.old.texts[path], next.texts[path]
		if same(was.Stand, is.Stand) {
			continue
		}
		f := FileChange{Path: path, Source: is.source, Kind: FileModified}
		switch {
		case was.Text == nil:
			f.Kind = FileAdded
		case is.Text == nil:
			f.Kind, f.Source = FileRemoved, was.source
		}
		f.compare(r.old, next)
		list = append(list, f)
	}
	slices.SortStableFunc(list, func(a, b FileChange) int { return a.Source.Layer.Rank() - b.Source.Layer.Rank() })
	return list
}

func merged(a, b map[string]accepted) map[string]accepted {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// judge refuses a set in which a file is worse than before.
func (r *reload) judge(next *snapshot, files []FileChange) error {
	if r.eng.cfg.takeBroken {
		return nil
	}
	for file, n := range next.errors {
		if n > r.old.errors[file] {
			return next.loadError()
		}
	}
	for _, f := range files {
		if file := next.texts[f.Path]; f.Kind == FileModified && !file.script() && empty(file) {
			return &LoadError{[]hook.Diagnostic{{Severity: hook.Error, Pos: hook.Position{File: f.Path},
				Message: "has become empty; what it said before stays in force", Advice: "remove the file to drop its hooks"}}}
		}
	}
	return nil
}

func empty(file accepted) bool { return len(bytes.TrimSpace(file.Text)) == 0 }

// ask dispatches a ConfigChange for each file, once for each of its texts, and
// reports whether some are refused.
func (r *reload) ask(ctx context.Context, next *snapshot, files []FileChange) (again bool) {
	for _, f := range files {
		was, is := r.old.texts[f.Path], next.texts[f.Path]
		if asked, ok := r.asked[f.Path]; ok && bytes.Equal(asked, is.Text) {
			continue
		}
		r.asked[f.Path] = is.Text
		if f.Kept = r.objection(ctx, f, is); f.Kept != "" {
			r.refused[f.Path] = refusal{kept: was, refused: is.Stand, script: was.script() || is.script(), change: f}
			r.report, again = append(r.report, f), true
		}
	}
	return again
}

// forget drops the refusals that next does not keep: what named the file does
// so no more, or it is pinned.
func (r *reload) forget(next *snapshot) {
	void := func(path string) bool { return !same(next.texts[path].Stand, r.refused[path].kept.Stand) }
	r.report = slices.DeleteFunc(r.report, func(f FileChange) bool { return void(f.Path) })
	maps.DeleteFunc(r.refused, func(path string, _ refusal) bool { return void(path) })
}

// objection dispatches the ConfigChange of one file and returns why its old
// text stays in force, or "".
func (r *reload) objection(ctx context.Context, f FileChange, is accepted) string {
	dec := r.eng.dispatch(ctx, r.old.whole(f.Path), r.event(f))
	managed := f.Source.Authority() == hook.Managed
	switch {
	case managed && f.Kind == FileRemoved && !exists(f.Path):
		return "what is managed is not dropped because its file is gone"
	case is.fault != nil:
		return "it " + is.fault.Error() + " now"
	case f.Kind == FileModified && empty(is): // of a settings file judge has told
		return "it has become empty"
	case !managed && !dec.Proceed():
		return dec.Reason()
	}
	return ""
}

// whole is the set as it is asked about a change of the file at path: without
// the stubs of that file, and of files that cannot be read at all. These block
// until they are mended, but not that they are mended.
func (s *snapshot) whole(path string) *snapshot {
	lost := func(b *bound) bool {
		return b.spec.Broken != nil && (b.spec.Type == lostType || s.fileOf(b) == path)
	}
	if !slices.ContainsFunc(s.hooks, lost) {
		return s
	}
	w := *s
	w.hooks = slices.DeleteFunc(slices.Clone(s.hooks), lost)
	w.index()
	return &w
}

// configSources are the layers in Claude Code's words, and two of our own.
var configSources = [...]string{hook.Managed: "policy_settings", hook.User: "user_settings", hook.Project: "project_settings",
	hook.Local: "local_settings", hook.Plugin: "plugins", hook.Skill: "skills"}

// event is the ConfigChange of one file. Its fields are those of Claude Code
// and of echo-agent.
func (r *reload) event(f FileChange) hook.Event {
	source := configSources[f.Source.Layer]
	more, err := answer.Object("source", source, "file_path", f.Path, "config_path", f.Path, "change", string(f.Kind), "summary", f.Summary(),
		"added", texts(f.Added), "removed", texts(f.Removed), "changed", texts(f.Changed))
	if err != nil { // a path that is not UTF-8
		more, _ = answer.Object("source", source, "change", string(f.Kind), "summary", f.Summary())
	}
	return hook.Event{Name: hook.ConfigChange, Subject: source, Dir: r.old.root, More: more, Time: r.eng.cfg.now()}
}

// texts is a list that is encoded as one even if it is empty.
func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
