package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// textMost is how long one text may be, in characters (Claude Code).
	textMost = 10_000
	// textPreview is how much of a longer one is shown.
	textPreview = 2_000
	// textKept is how long a saved one is kept.
	textKept = 7 * 24 * time.Hour
	// sweepMost is how many directory entries one save looks at.
	sweepMost = 64
)

// spill returns text, or its start and the path of a file that holds the whole
// if it is longer than 10,000 characters.
func (e *Engine) spill(text string) string {
	if len(text) <= textMost {
		return text
	}
	n := utf8.RuneCountInString(text)
	if n <= textMost {
		return text
	}
	path, err := e.saveText(text)
	where := "whole text: " + path
	if err != nil {
		where = "the whole text could not be saved: " + err.Error()
	}
	return fmt.Sprintf("%s\n[%d of %d characters; %s]", prefix(text, textPreview), textPreview, n, where)
}

// saveText writes text to a new file (0600) in the scratch directory (0700),
// which must be ours: its parent may be writable by others.
func (e *Engine) saveText(text string) (string, error) {
	dir := e.cfg.scratch
	if err := private(dir); err != nil {
		return "", err
	}
	sweep(dir, e.cfg.now().Add(-textKept))
	f, err := os.CreateTemp(dir, "text-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// private makes dir, which must be of this user alone.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err == nil && (!info.IsDir() || !ownedByUs(info)) {
		err = fmt.Errorf("%s is not a directory of this user alone", dir)
	}
	return err
}

// sweep removes saved texts and copies of scripts that are older than before;
// a few at each save keep up with what is saved.
func sweep(dir string, before time.Time) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	entries, _ := d.ReadDir(sweepMost)
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && (strings.HasPrefix(e.Name(), "text-") || strings.HasPrefix(e.Name(), keptPrefix)) && info.ModTime().Before(before) {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// prefix returns the first n characters of s.
func prefix(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
