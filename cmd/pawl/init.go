package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine/hook"
)

//go:embed starter/pawl.yaml
var starterPolicy []byte

//go:embed starter/pawl_test.yaml
var starterTests []byte

// The files that init writes.
const (
	policyName = "pawl.yaml"
	testsName  = "pawl_test.yaml"
)

const initDetail = `Writes pawl.yaml, a policy to keep and to change, and pawl_test.yaml, what it is meant to decide. Where there is a policy already both are left alone.

Then it shows the entry that makes the agent ask Pawl. With --write it adds that entry to the agent's settings file: every other byte of it stays, and an entry that calls Pawl already is left alone. If the PATH does not have pawl, the entry calls this program by its absolute path.

The directory is not trusted by this. The policy needs no trust, because an untrusted one may still deny and ask; run "pawl trust" when you add hooks that run programs or that allow something.`

func initCommand() cli.Command {
	var i initCall
	return cli.Command{
		Name:   "init",
		Args:   "[DIR]",
		About:  "write a starter policy and connect an agent to it",
		Detail: initDetail,
		Flags: []cli.Flag{
			cli.Text(&i.agent, "agent", "NAME", "the agent to connect: claude (default)"),
			cli.Switch(&i.write, "write", "add the entry to the agent's settings file"),
		},
		Run: i.run,
	}
}

type initCall struct {
	agent string
	write bool
}

func (i *initCall) run(c *cli.Console, args []string) error {
	dir, err := cli.OneDir(args)
	if err != nil {
		return err
	}
	if i.agent != "" && i.agent != "claude" {
		u := cli.Usagef("--agent: %q has no settings that init knows", i.agent)
		u.Advice = "known: claude"
		return u
	}
	c.Look()
	me := findSelf()
	group := hookGroup(me.command)
	file := filepath.Join(dir, ".claude", "settings.json")
	settings, err := planSettings(file, group)
	if err != nil {
		return err
	}
	if err := writeStarter(c, dir); err != nil {
		return err
	}
	if i.write {
		err = settings.write(c)
	} else {
		settings.show(c)
	}
	if err != nil {
		return err
	}
	if len(settings.added) > 0 {
		me.tell(c)
	}
	if root, _ := call.Here().Workspace(dir); root != dir {
		c.Printf("\n%s the policy of %s counts for all that lies below, so the one here is not read. To make this directory a workspace of its own, set CLAUDE_PROJECT_DIR.\n",
			c.Paint.Yellow("Note:"), cli.Escape(root))
	}
	c.Printf("\nNext: %s, %s.\n", c.Paint.Bold("pawl test"), c.Paint.Bold("pawl try 'git push --force origin main'"))
	c.Printf("Before you add hooks that run programs: %s.\n", c.Paint.Bold("pawl trust"))
	return nil
}

// writeStarter writes the starter policy and its tests; the tests alone would
// be those of another policy.
func writeStarter(c *cli.Console, dir string) error {
	wrote, err := writeNew(c, filepath.Join(dir, policyName), starterPolicy)
	if err != nil || !wrote {
		return err
	}
	_, err = writeNew(c, filepath.Join(dir, testsName), starterTests)
	return err
}

// writeNew writes a file unless it is there, and says what it did.
func writeNew(c *cli.Console, path string, data []byte) (wrote bool, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		c.Printf("%s %s: it exists already\n", c.Paint.Yellow("kept "), cli.Escape(path))
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
		return false, err
	}
	c.Printf("%s %s\n", c.Paint.Green("wrote"), cli.Escape(path))
	return true, nil
}

// settingsPlan is an agent's settings file with the entry added.
type settingsPlan struct {
	file   string
	group  string
	merged []byte
	added  []string // events that had no entry yet
}

func planSettings(file, group string) (settingsPlan, error) {
	p := settingsPlan{file: file, group: group}
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return p, err
	}
	p.merged, p.added, err = mergeHooks(old, agentEvents(), group)
	if err != nil {
		return p, fmt.Errorf("%s:%w (mend it, then run init again; nothing was written)", file, err)
	}
	return p, nil
}

func (p settingsPlan) write(c *cli.Console) error {
	if len(p.added) == 0 {
		c.Printf("%s %s: it calls Pawl already\n", c.Paint.Yellow("kept "), cli.Escape(p.file))
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(p.file), 0o755); err != nil {
		return err
	}
	if err := replaceFile(p.file, p.merged); err != nil {
		return err
	}
	c.Printf("%s %s: hooks for %s\n", c.Paint.Green("added"), cli.Escape(p.file), cli.Plural(len(p.added), "event"))
	return nil
}

func (p settingsPlan) show(c *cli.Console) {
	if len(p.added) == 0 {
		c.Printf("\n%s calls Pawl already.\n", cli.Escape(p.file))
		return
	}
	c.Printf("\nAdd this to %s, or let \"pawl init --write\" do it:\n\n", cli.Escape(p.file))
	entry, _, _ := mergeHooks(nil, p.added, p.group) // of an empty file: cannot fail
	c.Printf("%s", entry)
}

// agentEvents is every event that Pawl is asked about. Left out are those
// where being asked has a price: a WorktreeCreate or WorktreeRemove hook
// replaces the agent's own git worktree, and MessageDisplay would start a
// process for each piece of text.
func agentEvents() []string {
	var names []string
	for _, name := range hook.EventNames() {
		switch hook.EventName(name) {
		case hook.WorktreeCreate, hook.WorktreeRemove, hook.MessageDisplay:
		default:
			names = append(names, name)
		}
	}
	return names
}

// hookGroup is the matcher group that calls command, as JSON on one line. Its
// timeout is above the deadline of "pawl hook", so that Pawl answers first.
func hookGroup(command string) string {
	return `{"hooks": [{"type": "command", "command": ` + cli.QuoteJSON(command) + `, "timeout": 60}]}`
}
