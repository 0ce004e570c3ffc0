package watcher

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	maxLinks  = 40 // as in Linux
	separator = string(filepath.Separator)
)

var (
	errNotDir = errors.New("not a directory")
	errLinks  = errors.New("too many levels of symbolic links")
)

// place is where a path leads.
type place struct {
	real string      // the path without links
	info fs.FileInfo // of what is there
	err  error       // nothing is there, or it cannot be told
}

// follow goes along an absolute path as the system does. It notes the
// directories in which a change can make the path lead elsewhere: those of
// links, and the last one there is where it leads to nothing. The directory
// of the place itself is the caller's to note.
func (l *look) follow(path string, links int) place {
	if p, ok := l.places[path]; ok {
		return p
	}
	p := l.step(path, links)
	l.places[path] = p
	return p
}

// step takes the last step of path, from where the rest of it leads.
func (l *look) step(path string, links int) place {
	volume := filepath.VolumeName(path)
	rest := path[len(volume):]
	if rest == "" {
		root := volume + separator
		info, err := os.Lstat(root)
		return place{root, info, err}
	}
	i := strings.LastIndex(rest, separator)
	dir := l.follow(volume+rest[:i], links)
	if dir.err != nil {
		return dir
	}
	if !dir.info.IsDir() {
		l.dirs[filepath.Dir(dir.real)] = true
		return place{err: errNotDir}
	}
	switch name := rest[i+1:]; name {
	case "", ".":
		return dir
	case "..":
		return l.follow(filepath.Dir(dir.real), links)
	default:
		return l.enter(dir.real, name, links)
	}
}

// enter goes to name in dir, which is a directory without links.
func (l *look) enter(dir, name string, links int) place {
	path := filepath.Join(dir, name)
	l.names[path] = true
	info, err := os.Lstat(path)
	if err != nil {
		l.dirs[dir] = true
		return place{err: err}
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		return place{real: path, info: info}
	}
	l.dirs[dir] = true
	if links == maxLinks {
		return place{err: errLinks}
	}
	to, err := os.Readlink(path)
	if err != nil {
		return place{err: err}
	}
	if to = filepath.FromSlash(to); !filepath.IsAbs(to) {
		to = dir + separator + to
	}
	return l.follow(to, links+1)
}
