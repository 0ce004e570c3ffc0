package trustcmd

import (
	"bytes"
	"context"
	"slices"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

// pinWorkspace keeps the files of the workspace as they are now, and writes
// what that changes. Claude Code's settings count: whether they are read is for
// each call of the hook command to say.
func (t *trustCall) pinWorkspace() error {
	ctx := context.Background()
	if err := t.reach(ctx); err != nil {
		return err
	}
	before, err := t.trust.Pinned(t.root)
	if err != nil {
		t.c.Printf("%s %s\n", t.c.Paint.Yellow("note"), cli.Escape(err.Error()))
	}
	eng, err := t.open(ctx, call.Policy{Claude: true}, engine.WithTrust(func(string) bool { return true }),
		engine.WithPins(func(string) (*hook.Overlay, error) { return nil, nil }))
	if err != nil {
		return err
	}
	files, err := eng.Pinnable()
	if err == nil {
		err = t.trust.Pin(t.root, files)
	}
	if err != nil {
		return err
	}
	files = present(files)
	t.c.Printf("%s %s: %s\n", t.c.Paint.Green("pinned"), cli.Escape(t.root), cli.Plural(len(files), "file"))
	t.compare(present(before), files)
	t.notPinned(eng.Hooks())
	if err := eng.Close(ctx); err != nil {
		return err
	}
	return t.listRunning()
}

// present are those of files that are there.
func present(files []settings.Pinned) []settings.Pinned {
	return slices.DeleteFunc(slices.Clone(files), func(f settings.Pinned) bool { return f.Text == nil && f.Sum == "" })
}

// compare writes what differs between two pins.
func (t *trustCall) compare(before, after []settings.Pinned) {
	find := func(files []settings.Pinned, path string) *settings.Pinned {
		if i := slices.IndexFunc(files, func(f settings.Pinned) bool { return f.Path == path }); i >= 0 {
			return &files[i]
		}
		return nil
	}
	line := func(sign string, f settings.Pinned) { t.c.Printf("  %s %s\n", sign, cli.Escape(t.file(f.Path))) }
	same := 0
	for _, f := range after {
		switch was := find(before, f.Path); {
		case was == nil:
			line(t.c.Paint.Green("+"), f)
		case !bytes.Equal(was.Text, f.Text) || was.Sum != f.Sum || was.Mode != f.Mode:
			line(t.c.Paint.Yellow("~"), f)
		default:
			same++
		}
	}
	for _, f := range before {
		if find(after, f.Path) == nil {
			line(t.c.Paint.Red("-"), f)
		}
	}
	if same > 0 {
		t.c.Printf("  = %s as before\n", cli.Plural(same, "file"))
	}
}

// notPinned lists the hooks of the workspace that may run what nobody can tell.
func (t *trustCall) notPinned(hooks []engine.Hook) {
	var rows [][2]string
	for _, h := range hooks {
		if h.Spec.Source.Workspace() && h.Unsure != "" {
			rows = append(rows, [2]string{t.place(h), cli.Escape(h.Runs + ": " + h.Unsure)})
		}
	}
	if len(rows) > 0 {
		t.c.Printf("\nThese may run files that are not pinned:\n")
		t.c.Rows(rows)
	}
}
