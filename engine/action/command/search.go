package command

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
}

// search looks for name in the command a, as it runs in dir with env.
func (a *action) search(name, dir string, env []string) *search {
	s := &search{
		name: name, home: a.deps.Home, dir: dir, dirs: []string{dir},
		vars: map[string]string{}, unsteady: map[string]bool{}, seen: map[string]bool{}, functions: map[string]bool{},
	}
	for _, entry := range env {
		if n, v, ok := strings.Cut(entry, "="); ok {
			s.vars[n] = v
		}
	}
	s.vars["PWD"] = dir
	texts := append([]string{a.text}, a.args...)
	for _, text := range texts {
		s.found = s.found || strings.Contains(text, name)
	}
	for _, text := range texts {
		s.named(text)
	}
	switch {
	case s.found:
	case a.exec:
		fill := variables{set: s.vars}.placeholders()
		words := make([]word, len(texts))
		for i, text := range texts {
			words[i] = word{text: fill.Replace(text)}
		}
		s.command(words, false, 0)
	case a.shell == "powershell":
		if strings.ContainsAny(a.text, "$`*?\\") {
			s.doubts("a script may be named by a variable")
		}
	default:
		s.shell(a.text, 0)
	}
	return s
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
	const quotes = `"'` + "`"
	cut := func(borders string) []string {
		return strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(borders, c) })
	}
	words := slices.Concat([]string{text}, cut(quotes), cut(quotes+" \t\r\n;|&()<>=,[]{}"))
	for _, w := range words[:min(len(words), 1<<12>>(2*s.level))] {
		if s.found {
			return
		}
		w = os.Expand(w, func(name string) string { return s.vars[name] })
		if !s.follow(w, false) && s.ext != "" {
			s.follow(w+s.ext, false) // import guard, require("./guard")
		}
	}
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
		info, err := os.Stat(p)
		switch {
		case err != nil:
		case info.IsDir():
			if s.level == 0 {
				s.enter(p)
			}
		case info.Mode().IsRegular():
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
		return s.follow(name, true)
	}
	for _, dir := range filepath.SplitList(s.vars["PATH"]) {
		path := filepath.Join(dir, name)
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.dir, path)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			s.look(path, false) // what is installed is no doubt
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
	f, err := os.Open(path)
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
	s.found = bytes.Contains(head, []byte(s.name)) || contains(io.MultiReader(bytes.NewReader(head[max(0, len(head)-len(s.name)):]), f), s.name)
	binary := bytes.IndexByte(head[:min(len(head), 512)], 0) >= 0
	if s.found || binary || s.level == maxLevel {
		return
	}
	s.inside(path, string(head), runs)
}

// inside looks at the words of a script. It starts from what is known in the
// command, and from its own directory too.
func (s *search) inside(path, text string, runs bool) {
	inner := *s
	inner.level, inner.doubt, inner.ext = s.level+1, "", filepath.Ext(path)
	inner.dirs = append(slices.Clone(s.dirs), filepath.Dir(path))
	inner.vars, inner.unsteady = maps.Clone(s.vars), maps.Clone(s.unsteady)
	inner.vars["0"] = path
	inner.named(text)
	if !inner.found && isShell(path, text) {
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
