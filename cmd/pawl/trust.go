package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

const trustDetail = `A directory that is not trusted may bring rules that deny and ask, and no more: nothing that its settings files, or yours, name as a command is run there, and nothing that they allow counts.

Without DIR it is the workspace of the current directory. What then may run is listed.`

func trustCommand() cli.Command {
	var t trustCall
	return cli.Command{
		Name:   "trust",
		Args:   "[DIR]",
		About:  "let the hooks of a directory run programs and allow",
		Detail: trustDetail,
		Flags: []cli.Flag{
			cli.Switch(&t.list, "list", "list the trusted directories"),
			cli.Switch(&t.remove, "remove", "trust DIR no longer"),
		},
		Run: t.run,
	}
}

type trustCall struct{ list, remove bool }

func (t *trustCall) run(c *cli.Console, args []string) error {
	if t.list && (t.remove || len(args) > 0) {
		return cli.Usagef("--list stands alone")
	}
	dir := call.Here().StateDir()
	if dir == "" {
		return fmt.Errorf("no directory to keep the list in: set HOME or XDG_STATE_HOME")
	}
	trust, err := settings.OpenTrust(dir)
	if err != nil {
		return err
	}
	c.Look()
	if t.list {
		return listTrusted(c, trust)
	}
	root, err := oneDir(args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		root = projectRoot(root)
	}
	if t.remove {
		return removeTrust(c, trust, root)
	}
	if err := trust.Add(root); err != nil {
		return err
	}
	c.Printf("%s %s\n", c.Paint.Green("trusted"), cli.Escape(root))
	return listRunning(c, root)
}

// listTrusted writes the list as it is kept on disk; OpenTrust has checked it.
func listTrusted(c *cli.Console, trust *settings.Trust) error {
	data, err := os.ReadFile(trust.File())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	root, err := parseTree(data)
	if err != nil {
		return fmt.Errorf("%s:%w", trust.File(), err)
	}
	if list := root.member("directories"); list != nil {
		for _, dir := range list.kids {
			if path := dir.member("path"); path != nil {
				c.Printf("%s\n", cli.Escape(path.text))
			}
		}
	}
	return nil
}

func removeTrust(c *cli.Console, trust *settings.Trust, root string) error {
	if !trust.Trusted(root) {
		return fmt.Errorf("%s is not trusted", root)
	}
	if err := trust.Remove(root); err != nil {
		return err
	}
	if trust.Trusted(root) {
		return fmt.Errorf("%s is still trusted, by a directory above it (pawl trust --list)", root)
	}
	c.Printf("%s %s\n", c.Paint.Yellow("no longer trusted"), cli.Escape(root))
	return nil
}

// listRunning lists the hooks of the workspace that do more than judge.
func listRunning(c *cli.Console, root string) error {
	ctx := context.Background()
	var p call.Policy
	eng, err := openPolicy(ctx, p, root)
	if err != nil {
		return err
	}
	a := account{c: c, root: root}
	var rows [][2]string
	for _, h := range eng.Hooks() {
		if h.Spec.Source.Workspace() && runsSomething(h) {
			pos := h.Spec.Pos
			pos.File, pos.Col = a.file(pos.File), 0
			rows = append(rows, [2]string{pos.String(), h.Spec.Type + " on " + string(h.Spec.Event) + ": " + whatRuns(h.Spec)})
		}
	}
	if len(rows) > 0 {
		c.Printf("\nThese may run now:\n")
		a.rows(rows)
	}
	return eng.Close(ctx)
}

// runsSomething reports whether a hook is more than a judgement of its own.
func runsSomething(h engine.Hook) bool {
	switch h.Spec.Type {
	case "permission", "expr", "prompt", "lua", "function":
		return false
	}
	return true
}

// whatRuns names what a hook calls.
func whatRuns(s hook.Spec) string {
	for _, f := range s.Fields {
		switch f.Name {
		case "command", "url", "server", "tool", "script":
			return fmt.Sprint(f.Value)
		}
	}
	return filepath.Base(s.ID)
}
