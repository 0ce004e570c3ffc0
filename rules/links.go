package rules

import (
	"os"
	"path"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// maxLinks is how many symlinks one path may go through, as in the kernel.
const maxLinks = 40

// resolveLinks returns abs, which need not be clean, with all symlinks
// resolved in the order the kernel would; what does not exist stays as it is
// written. /proc/self/cwd is dir. It fails on a loop of links.
func resolveLinks(abs, dir string) (string, bool) {
	if p := path.Clean(abs); !strings.HasPrefix(p, "/proc/") && !strings.Contains(abs, "..") && straight(append([]byte(p), 0)) {
		return p, true
	}
	out, todo, hops := "/", strings.Split(abs, "/"), 0
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			out = path.Dir(out)
			continue
		}
		out = path.Join(out, part)
		if target, ok := procLink(out, dir); ok {
			out = target
			continue
		}
		info, err := os.Lstat(out)
		if err != nil || info.Mode()&os.ModeSymlink == 0 {
			continue
		}
		target, err := os.Readlink(out)
		if err != nil {
			continue
		}
		if hops++; hops > maxLinks {
			return "", false
		}
		if path.IsAbs(target) {
			out = "/"
		} else {
			out = path.Dir(out)
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	return out, true
}

// procLink resolves the links of /proc that point to where a process is:
// ours are not the agent's.
func procLink(p, dir string) (string, bool) {
	rest, ok := strings.CutPrefix(p, "/proc/")
	if !ok {
		return "", false
	}
	_, link, _ := strings.Cut(rest, "/")
	switch link {
	case "cwd":
		return dir, dir != ""
	case "root":
		return "/", true
	}
	return "", false
}

// cleanPath is abs made clean by its text alone.
func cleanPath(abs, dir string) string {
	p := path.Clean(abs)
	if rest, ok := strings.CutPrefix(p, "/proc/"); ok {
		if parts := strings.SplitN(rest, "/", 3); len(parts) >= 2 {
			if target, ok := procLink("/proc/"+parts[0]+"/"+parts[1], dir); ok {
				return cleanPath(path.Join(append([]string{target}, parts[2:]...)...), "")
			}
		}
	}
	return p
}

// locate makes a Path of a name as written, relative to dir, the directory it
// is used in ("" where that is unknown). cwd is the directory of the event.
func locate(given, dir, cwd string, access hook.Access, command int) hook.Path {
	p := hook.Path{Given: given, Access: access, Command: command}
	abs := given
	switch {
	case given == "" || strings.ContainsRune(given, 0):
		p.Reason = "not the name of a file"
		return p
	case given == "~" || strings.HasPrefix(given, "~/"):
		home, err := os.UserHomeDir()
		if err != nil {
			p.Reason = "the home directory is not known"
			return p
		}
		abs = home + given[1:]
	case given[0] == '~':
		p.Reason = given + " names the home directory of another user"
		return p
	case given[0] != '/':
		if dir == "" {
			p.Reason = "the current directory is not known"
			return p
		}
		abs = dir + "/" + given
	}
	p.Clean = cleanPath(abs, cwd)
	real, ok := resolveLinks(abs, cwd)
	if !ok {
		p.Real, p.Reason = p.Clean, "a loop of symlinks"
		return p
	}
	p.Real, p.Known = real, true
	return p
}
