package call

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

// Workspace returns the root of the workspace that an event in dir belongs
// to: what the agent names, else the outermost directory at or above dir that
// is pinned, else the outermost that has a policy (RATIONALE.md says why), else
// the nearest that an agent or git knows, else dir. unread are policies between the two that do not count.
func (p Place) Workspace(dir string) (root string, unread []string) {
	dir, ok := p.absolute(dir)
	home := homeOf(p)
	if named := p.Getenv("CLAUDE_PROJECT_DIR"); filepath.IsAbs(named) {
		if info, err := os.Stat(named); err == nil && info.IsDir() {
			return filepath.Clean(named), inner(home.policies(dir), filepath.Clean(named))
		}
	}
	if !ok {
		return dir, nil
	}
	found := home.policies(dir)
	if root := p.pinned(dir, home); root != "" {
		return root, inner(found, root)
	}
	if root := home.outermost(found); root != "" {
		return root, inner(found, root)
	}
	if root := nearestWith(dir, p.Home(), ".claude", ".git"); root != "" {
		return root, nil
	}
	return nearestWith(dir, "", "."), nil // a directory that is gone has no settings
}

// pinned returns the outermost directory at or above dir, and below the home
// directory, that is pinned; "" if none is. Its policy counts even where the
// agent has removed it.
func (p Place) pinned(dir string, home home) (root string) {
	state := p.StateDir()
	if state == "" {
		return ""
	}
	trust, _ := settings.OpenTrust(state) // one that cannot be read pins nothing, which others tell
	if !slices.ContainsFunc(trust.List(), func(d settings.Trusted) bool { return d.Pin != "" }) {
		return ""
	}
	for ; dir != filepath.Dir(dir) && !home.is(dir); dir = filepath.Dir(dir) {
		if trust.IsPinned(dir) {
			root = dir
		}
	}
	return root
}

// NotRead warns of policies that do not count in the workspace at root.
func NotRead(root string, unread []string) (diags []hook.Diagnostic) {
	for _, file := range unread {
		diags = append(diags, hook.Diagnostic{
			Severity: hook.Warning, Pos: hook.Position{File: file},
			Message: "is not read: the policy of " + root + " counts for all that lies below",
			Advice:  "set CLAUDE_PROJECT_DIR to make another directory the workspace",
		})
	}
	return diags
}

// home is the home directory, nil if there is none.
type home struct{ info os.FileInfo }

func homeOf(p Place) home {
	info, err := os.Stat(p.Home())
	if err != nil {
		return home{}
	}
	return home{info}
}

// is reports whether dir is the home directory.
func (h home) is(dir string) bool {
	if h.info == nil {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && os.SameFile(info, h.info)
}

// policies returns the policies at and above dir, the nearest first, up to
// the home directory.
func (h home) policies(dir string) (paths []string) {
	for {
		for _, name := range []string{"pawl.yaml", ".pawl", "echo-agent.yaml"} {
			if path := filepath.Join(dir, name); something(path) {
				paths = append(paths, path)
				break
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir || h.is(dir) {
			return paths
		}
		dir = parent
	}
}

// HasPolicy reports whether there is a policy right in dir, if an empty one.
func (p Place) HasPolicy(dir string) bool {
	found := homeOf(p).policies(dir)
	return len(found) > 0 && filepath.Dir(found[0]) == dir
}

// something reports whether path is there and no empty directory.
func something(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return err == nil
	}
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return !errors.Is(err, io.EOF)
}

// outermost returns the root for the policies that were found: the directory
// of the last one below the home directory, or below / where that is not
// above. Directories that others may write to, /tmp say, and the home
// directory itself count only if no other has a policy, and then the nearest.
func (h home) outermost(found []string) (root string) {
	for _, path := range found {
		dir := filepath.Dir(path)
		info, err := os.Stat(dir)
		if err == nil && info.Mode().Perm()&0o002 == 0 && filepath.Dir(dir) != dir && !h.is(dir) {
			root = dir
		}
	}
	if root == "" && len(found) > 0 {
		return filepath.Dir(found[0])
	}
	return root
}

// inner returns those of the policies that are below root.
func inner(found []string, root string) []string {
	return slices.DeleteFunc(found, func(path string) bool {
		dir, ok := strings.CutPrefix(filepath.Dir(path), root)
		return !ok || dir == "" || root != "/" && dir[0] != filepath.Separator
	})
}

// nearestWith returns the nearest directory at or above dir that has one of
// names, "" if there is none. The directory except does not count: ~/.claude
// makes no workspace of the home directory.
func nearestWith(dir, except string, names ...string) string {
	for {
		for _, name := range names {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil && dir != except {
				return dir
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
