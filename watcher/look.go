package watcher

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// maxHashed is how much of a file is read.
const maxHashed = 4 << 20

// look is what one pass over the sources found.
type look struct {
	marks  map[string]mark // of each source, as the target names it
	dirs   map[string]bool // directories in which a change can change a mark
	names  map[string]bool // every path that was looked at
	listed map[string]bool // directories that are sources: every name in them counts

	places map[string]place
	hash   hash.Hash
	buffer []byte
}

// takeLook looks at all sources, or at some if ctx ends.
func takeLook(ctx context.Context, sources []string) *look {
	l := &look{marks: map[string]mark{}, dirs: map[string]bool{}, names: map[string]bool{}, listed: map[string]bool{},
		places: map[string]place{}, hash: sha256.New(), buffer: make([]byte, 32<<10)}
	here, _ := os.Getwd() // without one, relative sources are missing
	for _, s := range sources {
		if ctx.Err() != nil {
			break
		}
		path := filepath.FromSlash(s)
		if !filepath.IsAbs(path) {
			path = here + separator + path // not cleaned: link/.. is not where link is
		}
		l.marks[s] = l.mark(path)
	}
	l.places, l.hash, l.buffer = nil, nil, nil
	return l
}

func (l *look) mark(path string) mark {
	l.hash.Reset()
	p := l.follow(path, 0)
	if p.err == nil {
		l.dirs[filepath.Dir(p.real)] = true
		fmt.Fprintf(l.hash, "%s\x00%v\x00", p.real, p.info.Mode())
		p.info, p.err = l.read(p)
	}
	switch {
	case p.err == nil:
	case errors.Is(p.err, fs.ErrNotExist), errors.Is(p.err, errNotDir):
		_, err := os.Lstat(path)
		fmt.Fprintf(l.hash, "absent, link %t", err == nil) // a link to nothing is not nothing
	default:
		if at, ok := errors.AsType[*fs.PathError](p.err); ok {
			p.err = at.Err
		}
		fmt.Fprintf(l.hash, "%v", p.err)
	}
	m := mark{real: p.real, info: p.info}
	l.hash.Sum(m.sum[:0])
	return m
}

// read hashes what is at p. It never waits: what is neither file nor
// directory is not opened, nor is one that has just taken its place.
func (l *look) read(p place) (fs.FileInfo, error) {
	if !p.info.Mode().IsRegular() && !p.info.IsDir() {
		return p.info, nil
	}
	if p.info.IsDir() {
		l.dirs[p.real], l.listed[p.real] = true, true
	}
	f, err := os.OpenFile(p.real, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return p.info, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return p.info, err
	case info.IsDir():
		err = l.list(f)
	case info.Mode().IsRegular():
		_, err = io.CopyBuffer(l.hash, io.LimitReader(f, maxHashed), l.buffer)
		if info.Size() > maxHashed {
			fmt.Fprintf(l.hash, "%d %d", info.Size(), info.ModTime().UnixNano())
		}
	}
	return info, err
}

// list hashes the names in dir and their types; of a link also what it leads
// to. Their hashes are folded, so that the order of names does not count and
// nothing is kept.
func (l *look) list(dir *os.File) error {
	var all [sha256.Size]byte
	for {
		entries, err := dir.ReadDir(256)
		for _, e := range entries {
			text := e.Name() + separator + e.Type().String()
			if e.Type()&fs.ModeSymlink != 0 {
				if info, err := os.Stat(filepath.Join(dir.Name(), e.Name())); err == nil {
					text += info.Mode().Type().String()
				}
			}
			for i, b := range sha256.Sum256([]byte(text)) {
				all[i] ^= b
			}
		}
		if err != nil {
			l.hash.Write(all[:])
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}
