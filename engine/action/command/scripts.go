package command

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/pawl-dev/pawl/engine/hook"
)

var _ hook.Sourced = (*action)(nil)

// Files returns the scripts that the command names, and those that these name,
// as far as that can be told. Programs that are no scripts count if they lie in
// the workspace or in the hook's own directory.
func (a *action) Files(over *hook.Overlay) (paths []string, unsure string) {
	s := a.scan(over)
	return slices.Sorted(maps.Keys(s.runs)), s.doubt
}

// scan looks for the files that the command runs. Of the environment it knows
// only what does not depend on where the agent was started.
func (a *action) scan(over *hook.Overlay) *search {
	dir := a.deps.Root
	if a.source.Layer == hook.Skill || a.source.Layer == hook.Plugin {
		dir = a.source.Dir
	}
	var env []string
	for _, entry := range a.opts.Environ() {
		if strings.HasPrefix(entry, "PATH=") || strings.HasPrefix(entry, "HOME=") {
			env = append(env, entry)
		}
	}
	for name, value := range a.directories() {
		env = append(env, name+"="+value)
	}
	s := a.newSearch(dir, env)
	s.over = over
	s.all(a)
	return s
}

// stands is what stands in for the file at path. Of the hook's own directories
// it may be that there is nothing but what stands there.
func (s *search) stands(path string) (hook.Stand, bool) {
	if s.over == nil {
		return hook.Stand{}, false
	}
	file, ok := s.over.File(path)
	return file, ok || s.over.Whole && s.isOwn(path)
}

func (s *search) isOwn(path string) bool {
	return slices.ContainsFunc(s.own, func(dir string) bool {
		rel, err := filepath.Rel(dir, path)
		return dir != "" && err == nil && filepath.IsLocal(rel)
	})
}

// stat tells what is at path.
func (s *search) stat(path string) (mode fs.FileMode, there bool) {
	if file, ok := s.stands(path); ok && (file.Text != nil || file.Sum != "") {
		return file.Mode.Perm(), true
	} else if ok && s.over.HasDir(path) {
		return fs.ModeDir, true
	} else if ok {
		return 0, false
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	return info.Mode(), true
}

// open opens a file without waiting for one.
func (s *search) open(path string) (io.ReadCloser, error) {
	if file, ok := s.stands(path); ok && file.Text != nil {
		return io.NopCloser(bytes.NewReader(file.Text)), nil
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, fmt.Errorf("not a regular file")
	}
	return f, nil
}

// binary reports whether a file that begins with head is no text.
func binary(head []byte) bool { return bytes.IndexByte(head[:min(len(head), 512)], 0) >= 0 }

// ran notes that what text names is run, whether or not it is there.
func (s *search) ran(text string) {
	places := s.places(text)
	there := s.there(places)
	if len(there) == 0 && len(places) > 0 {
		there = places[:1]
	}
	for _, path := range there {
		s.keep(path)
	}
}

// perhaps notes that what text names is run, if it looks like it: nobody can
// tell what the words of a script are that is not for a shell, nor the operands
// of any program.
func (s *search) perhaps(text string) {
	for _, path := range s.there(s.places(text)) {
		mode, _ := s.stat(path)
		if mode&0o111 != 0 || s.foreign && filepath.Ext(path) == s.ext {
			s.keep(path)
		}
	}
}

// there are those of paths that are files.
func (s *search) there(paths []string) (files []string) {
	for _, path := range paths {
		if mode, there := s.stat(path); there && mode.IsRegular() {
			files = append(files, path)
		}
	}
	return files
}

// keep notes a file that is run. Programs of the system are no business of the
// hook.
func (s *search) keep(path string) {
	if s.runs[path] {
		return
	}
	if !s.isOwn(path) {
		if f, err := s.open(path); err == nil {
			head, err := io.ReadAll(io.LimitReader(f, 512))
			f.Close()
			if err != nil || binary(head) {
				return
			}
		}
	}
	s.runs[path] = true
}
