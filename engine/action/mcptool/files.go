package mcptool

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

var _ hook.Sourced = (*action)(nil)

// Files returns the files of the workspace that the words of the server's
// command name. What these load in their turn cannot be told.
func (a *action) Files(over *hook.Overlay) (paths []string, unsure string) {
	if a.server.command == "" {
		return nil, ""
	}
	for _, word := range a.server.words() {
		if path := a.server.file(word); path != "" && present(path, over) {
			paths = append(paths, path)
		}
	}
	return paths, "what an MCP server loads cannot be told"
}

func (s server) words() []string { return append([]string{s.command}, s.args...) }

// file is the path in the workspace that a word of the command may mean, or "".
func (s server) file(word string) string {
	if word == s.command && !strings.ContainsRune(word, filepath.Separator) {
		return "" // looked up on PATH
	}
	if !filepath.IsAbs(word) {
		word = filepath.Join(s.dir, word)
	}
	rel, err := filepath.Rel(s.root, word)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return ""
	}
	return filepath.Clean(word)
}

// present reports whether path is a file, as it was accepted.
func present(path string, over *hook.Overlay) bool {
	if file, stands := over.Stands(path); stands {
		return file.Text != nil || file.Sum != ""
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// version tells the files in paths from what they were at another time, so
// that a changed server is started anew.
func version(paths []string, over *hook.Overlay) string {
	var b strings.Builder
	for _, path := range paths {
		if file, stands := over.Stands(path); stands {
			fmt.Fprintf(&b, "%x%s ", sha256.Sum256(file.Text), file.Sum)
		} else if info, err := os.Stat(path); err == nil {
			fmt.Fprintf(&b, "%d-%d ", info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// guarded reports whether s has files that may not be what was accepted.
func (s server) guarded() bool { return s.copies != nil && len(s.files) > 0 }

// accepted returns s with copies in the place of the files that are not any
// more what was accepted.
func (s server) accepted() (server, error) {
	if !s.guarded() {
		return s, nil
	}
	copies, err := s.copies(s.files)
	if err != nil {
		failed := hook.Fail(hook.CauseConfig, "server %s: %w", s.name, err)
		failed.Blocks = true
		return s, failed
	}
	words := slices.Clone(s.words())
	for i, word := range words {
		if file, ok := copies.Run[s.file(word)]; ok {
			words[i] = file
		}
	}
	s.command, s.args = words[0], words[1:]
	return s, nil
}
