package command

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	maxScripts = 64       // files looked into for one command
	maxScript  = 1 << 20  // bytes of a script whose words are looked at
	maxLetters = 64 << 20 // bytes of a file that are searched for the name
	maxDirs    = 16       // directories that a relative word may start from
	maxLevel   = 2        // a script that a script of the command names
)

// search looks for the name of a variable: in a command, in the scripts that
// it names, and in those that these name.
type search struct {
	name  string
	found bool   // the letters of the name are there
	doubt string // else: why they may be in a script that cannot be told

	home, dir string            // of the user; that the command runs in
	dirs      []string          // that relative words may start from
	vars      map[string]string // what is known
	unsteady  map[string]bool   // variables that may have several values
	level     int               // 0 in the command, 1 in its scripts, …
	ext       string            // of the script, ".py"
	seen      map[string]bool   // files, and whether they are run
	functions map[string]bool
	sourced   bool // functions may come from elsewhere

	over    *hook.Overlay   // what stands in for the disk
	own     []string        // directories that the hook comes from
	runs    map[string]bool // the files that are run, where that is certain
	foreign bool            // the text at hand is not for a POSIX shell
	marks   []mark          // the words of the command itself
}

// search looks for name in the command a, as it runs in dir with env.
func (a *action) search(name, dir string, env []string) *search {
	s := a.newSearch(dir, env)
	s.name = name
	s.all(a)
	return s
}

func (a *action) newSearch(dir string, env []string) *search {
	s := &search{
		home: a.deps.Home, dir: dir, dirs: []string{dir}, own: []string{a.deps.Root, a.source.Dir},
		vars: map[string]string{}, unsteady: map[string]bool{}, seen: map[string]bool{}, functions: map[string]bool{}, runs: map[string]bool{},
	}
	for _, entry := range env {
		if n, v, ok := strings.Cut(entry, "="); ok {
			s.vars[n] = v
		}
	}
	s.vars["PWD"] = dir
	return s
}

// all looks at all words of a.
func (s *search) all(a *action) {
	texts := append([]string{a.text}, a.args...)
	for _, text := range texts {
		s.found = s.found || s.has([]byte(text))
	}
	if !a.exec && a.shell == "powershell" {
		s.foreign, s.ext = true, ".ps1"
	}
	for _, text := range texts {
		s.named(text)
	}
	switch {
	case s.found:
	case a.exec:
		s.command(a.words(s), false, 0)
	case s.foreign:
		if strings.ContainsAny(a.text, "$`*?\\") {
			s.doubts("a script may be named by a variable")
		}
	default:
		s.shellAt(a.text, 0, len(a.text))
	}
}

// has reports whether the name that is looked for is in text.
func (s *search) has(text []byte) bool { return s.name != "" && bytes.Contains(text, []byte(s.name)) }

// words are those of the exec form.
func (a *action) words(s *search) []word {
	fill := variables{set: s.vars}.placeholders()
	words := []word{{text: fill.Replace(a.text)}}
	for _, arg := range a.args {
		words = append(words, word{text: fill.Replace(arg)})
	}
	return words
}

// doubts notes the first reason why a script cannot be told.
func (s *search) doubts(why string) {
	if s.doubt == "" {
		s.doubt = why
	}
}

// value returns what a variable is. One that is not set may be by read.
func (s *search) value(name string) (string, bool) {
	v, ok := s.vars[name]
	return v, ok && !s.unsteady[name]
}

// assign notes NAME=value.
func (s *search) assign(name string, value word) {
	old, known := s.vars[name]
	if value.open || value.glob || known && old != value.text {
		s.unsteady[name] = true
	}
	s.vars[name] = value.text
	if name == "PATH" {
		s.doubts("it changes PATH")
	}
}

// named looks into all files whose path stands in text in plain letters,
// whatever language it is written in.
func (s *search) named(text string) {
	seen, left := map[string]bool{}, 1<<12>>(2*s.level)
	for w := range plainWords(text) {
		if left--; left < 0 || s.found {
			return
		}
		if seen[w] {
			continue
		}
		seen[w] = true
		w = os.Expand(w, func(name string) string { return s.vars[name] })
		files := []string{w}
		if !s.follow(w, false) {
			files = modules(w, s.ext)
		}
		for _, file := range files {
			if s.follow(file, false); s.foreign {
				s.perhaps(file)
			}
		}
	}
}

// plainWords are the text, what stands between its quotes, and its words.
func plainWords(text string) iter.Seq[string] {
	const quotes = `"'` + "`"
	return func(yield func(string) bool) {
		if !yield(text) {
			return
		}
		for _, borders := range []string{quotes, quotes + " \t\r\n;|&()<>=,[]{}"} {
			for w := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(borders, c) }) {
				if !yield(w) {
					return
				}
			}
		}
	}
}

// modules are the files that a word may mean for a program of scripts: import
// guard, from hooks.guard import x, require("./guard").
func modules(w, ext string) (files []string) {
	if ext == "" || w == "" {
		return nil
	}
	if ext != ".py" {
		return []string{w + ext}
	}
	path := strings.ReplaceAll(w, ".", "/")
	if strings.Count(path, "/") > 8 {
		return nil
	}
	for i, c := range path + "/" {
		if c == '/' {
			files = append(files, path[:i]+"/__init__.py")
		}
	}
	return append(files, path+ext)
}

// follow looks into the files that path may mean, and reports whether there
// are any. A relative path may start from several directories. The doubts of
// a file count if it runs.
func (s *search) follow(path string, runs bool) bool {
	if path == "" || len(path) > 4096 || strings.ContainsRune(path, 0) {
		return false
	}
	any := false
	for _, p := range s.places(path) {
		mode, there := s.stat(p)
		switch {
		case !there:
		case mode.IsDir():
			if s.level == 0 {
				s.enter(p)
			}
		case mode.IsRegular():
			any = true
			s.look(p, runs)
		}
	}
	return any
}

// enter adds a directory to those that relative words may start from.
func (s *search) enter(dir string) {
	switch {
	case slices.Contains(s.dirs, dir):
	case len(s.dirs) >= maxDirs:
		s.doubts("it names more than 16 directories")
	default:
		s.dirs = append(s.dirs, dir)
	}
}

func (s *search) places(path string) (all []string) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(s.home, rest)
	}
	if filepath.IsAbs(path) {
		return []string{filepath.Clean(path)}
	}
	for _, dir := range s.dirs {
		all = append(all, filepath.Join(dir, path))
	}
	return all
}

// program looks into the program that a bare name means, and reports whether
// there is one.
func (s *search) program(name string) bool {
	if strings.Contains(name, "/") {
		s.ran(name)
		return s.follow(name, true)
	}
	for _, dir := range filepath.SplitList(s.vars["PATH"]) {
		path := filepath.Join(dir, name)
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.dir, path)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			if s.name != "" {
				s.look(path, false) // what is installed is no doubt
			}
			return true
		}
	}
	return false
}

// look searches one file, and what it names if it is a script.
func (s *search) look(path string, runs bool) {
	if ran, seen := s.seen[path]; seen && (ran || !runs) || s.found {
		return
	}
	if s.seen[path] = runs; len(s.seen) > maxScripts {
		s.doubts("it names more than 64 files")
		return
	}
	f, err := s.open(path)
	if err != nil {
		s.doubts(path + " cannot be read")
		return
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, maxScript))
	if err != nil {
		s.doubts(path + " cannot be read")
		return
	}
	s.found = s.has(head) || s.name != "" && contains(io.MultiReader(bytes.NewReader(head[max(0, len(head)-len(s.name)):]), f), s.name)
	if s.found || binary(head) || s.level == maxLevel {
		return
	}
	s.inside(path, string(head), runs)
}

// inside looks at the words of a script. It starts from what is known in the
// command, and from its own directory too.
func (s *search) inside(path, text string, runs bool) {
	inner := *s
	inner.level, inner.doubt, inner.ext, inner.foreign = s.level+1, "", filepath.Ext(path), !isShell(path, text)
	inner.dirs = append(slices.Clone(s.dirs), filepath.Dir(path))
	inner.vars, inner.unsteady = maps.Clone(s.vars), maps.Clone(s.unsteady)
	inner.vars["0"] = path
	inner.named(text)
	if !inner.found && !inner.foreign {
		inner.shell(text, 0)
	}
	s.found = inner.found
	if inner.doubt != "" && runs {
		s.doubts(filepath.Base(path) + ": " + inner.doubt)
	}
}

// isShell reports whether a script is one for a shell.
func isShell(path, text string) bool {
	if first, ok := strings.CutPrefix(text, "#!"); ok {
		first, _, _ = strings.Cut(first, "\n")
		return strings.Contains(first, "sh")
	}
	ext := filepath.Ext(path)
	return ext == "" || strings.HasSuffix(ext, "sh")
}

// contains reports whether name stands in the first bytes of r.
func contains(r io.Reader, name string) bool {
	b := bufio.NewReaderSize(io.LimitReader(r, maxLetters), 1<<16)
	for {
		chunk, err := b.Peek(1 << 16)
		if bytes.Contains(chunk, []byte(name)) {
			return true
		}
		if err != nil {
			return false
		}
		b.Discard(len(chunk) - len(name))
	}
}
