package trustcmd

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/settings"
)

const detail = `A directory that is not trusted may bring rules that deny and ask, and no more: nothing that its settings files, or yours, name as a command is run there, and nothing that they allow counts.

Without DIR it is the workspace of the current directory. What then may run is listed.

With --pin the settings, policies, plugins and skills of the directory, and the scripts that its hooks run, are kept as they are now. A file that changes, comes or goes later has no effect until "pawl trust --pin" is run again, or "pawl trust", which pins nothing. What else the program of a hook reads is not pinned.`

// Options are what a program lends to the command.
type Options struct {
	Engine []engine.Option // that all engines are opened with
	// HandOver replaces this process by one that knows more hook types, if
	// there is one.
	HandOver func()
}

// Command is the trust command.
func Command(o Options) cli.Command {
	t := trustCall{Options: o}
	return cli.Command{
		Name:   "trust",
		Args:   "[DIR]",
		About:  "let the hooks of a directory run programs and allow",
		Detail: detail,
		Flags: []cli.Flag{
			cli.Switch(&t.pin, "pin", "trust DIR as it is now: later changes of its hook files do not count"),
			cli.Switch(&t.list, "list", "list the trusted directories"),
			cli.Switch(&t.remove, "remove", "trust DIR no longer"),
		},
		Run: t.run,
	}
}

// trustCall is one call of the command.
type trustCall struct {
	Options
	pin, list, remove bool

	c     *cli.Console
	trust *settings.Trust
	root  string
}

func (t *trustCall) run(c *cli.Console, args []string) (err error) {
	dir := call.Here().StateDir()
	switch {
	case t.list && (t.remove || t.pin || len(args) > 0):
		return cli.Usagef("--list stands alone")
	case t.remove && t.pin:
		return cli.Usagef("--pin or --remove, not both")
	case dir == "":
		return fmt.Errorf("no directory to keep the list in: set HOME or XDG_STATE_HOME")
	}
	if t.trust, err = settings.OpenTrust(dir); err != nil {
		return err
	}
	t.c = c
	c.Look()
	if t.list {
		return t.listTrusted()
	}
	if t.root, err = cli.OneDir(args); err != nil {
		return err
	}
	if len(args) == 0 {
		t.root, _ = call.Here().Workspace(t.root)
	}
	switch {
	case t.remove:
		return t.removeTrust()
	case t.pin:
		return t.pinWorkspace()
	}
	return t.addTrust()
}

func (t *trustCall) addTrust() error {
	if err := t.reach(context.Background()); err != nil {
		return err
	}
	was := t.trust.IsPinned(t.root)
	if err := t.trust.Add(t.root); err != nil {
		return err
	}
	t.c.Printf("%s %s", t.c.Paint.Green("trusted"), cli.Escape(t.root))
	if was {
		t.c.Printf(", no longer pinned")
	}
	t.c.Printf("\n")
	return t.listRunning()
}

func (t *trustCall) removeTrust() error {
	if !t.trust.Trusted(t.root) {
		return fmt.Errorf("%s is not trusted", t.root)
	}
	if err := t.trust.Remove(t.root); err != nil {
		return err
	}
	if t.trust.Trusted(t.root) {
		return fmt.Errorf("%s is still trusted, by a directory above it (pawl trust --list)", t.root)
	}
	t.c.Printf("%s %s\n", t.c.Paint.Yellow("no longer trusted"), cli.Escape(t.root))
	return nil
}

// listTrusted writes the list, and of which directories something is pinned.
func (t *trustCall) listTrusted() error {
	for _, dir := range t.trust.List() {
		t.c.Printf("%s", cli.Escape(dir.Path))
		if files, err := t.trust.Pinned(dir.Path); err != nil {
			t.c.Printf("  %s: %s", t.c.Paint.Red("pinned"), cli.Escape(err.Error()))
		} else if dir.Pin != "" {
			t.c.Printf("  pinned: %s", cli.Plural(len(present(files)), "file"))
		}
		t.c.Printf("\n")
	}
	return nil
}

// reach hands the call over if the workspace has hooks of types that only
// another program can tell about.
func (t *trustCall) reach(ctx context.Context) error {
	if t.HandOver == nil {
		return nil
	}
	eng, err := t.open(ctx, call.Policy{Claude: t.pin}, engine.WithTrust(func(string) bool { return true }))
	if err != nil {
		return err
	}
	defer eng.Close(ctx)
	if len(eng.Unlinked()) > 0 {
		t.HandOver()
	}
	return nil
}

// open makes the engine of the workspace.
func (t *trustCall) open(ctx context.Context, policy call.Policy, extra ...engine.Option) (*call.Engine, error) {
	setting, err := call.Here().Setting(t.root, policy)
	if err != nil {
		return nil, err
	}
	return setting.Open(ctx, append(extra, t.Engine...)...)
}

// listRunning lists the hooks of the workspace that do more than judge.
func (t *trustCall) listRunning() error {
	ctx := context.Background()
	eng, err := t.open(ctx, call.Policy{})
	if err != nil {
		return err
	}
	var rows [][2]string
	for _, h := range eng.Hooks() {
		if h.Spec.Source.Workspace() && h.Runs != "" {
			rows = append(rows, [2]string{t.place(h), cli.Escape(h.Spec.Type + " on " + string(h.Spec.Event) + ": " + h.Runs)})
		}
	}
	if len(rows) > 0 {
		t.c.Printf("\nThese may run now:\n")
		t.c.Rows(rows)
	}
	return eng.Close(ctx)
}

// place is file:line of a hook.
func (t *trustCall) place(h engine.Hook) string {
	pos := h.Spec.Pos
	pos.File, pos.Col = t.file(pos.File), 0
	return cli.Escape(pos.String())
}

// file is a path as seen from the workspace, if it is in it.
func (t *trustCall) file(path string) string {
	if rel, err := filepath.Rel(t.root, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
