package watcher

import (
	"crypto/sha256"
	"io/fs"
	"maps"
	"os"
	"slices"
)

// mark is what a source looked like.
type mark struct {
	sum  [sha256.Size]byte // of where it is, its mode and what it holds; zero: nobody knows
	real string            // where it is; "" for nowhere
	info fs.FileInfo       // nil if it is nowhere
}

// changed returns the sources that do not look as in seen, sorted.
func (l *look) changed(seen map[string]mark) []string {
	var names []string
	for _, s := range slices.Sorted(maps.Keys(l.marks)) {
		if l.marks[s].sum != seen[s].sum {
			names = append(names, s)
		}
	}
	return names
}

// since returns the marks of l that a Reload must have seen if l was taken
// before it and after when it had ended; others are zero.
func (l *look) since(after *look) map[string]mark {
	seen := make(map[string]mark, len(after.marks))
	for s, m := range after.marks {
		before := l.marks[s]
		if before.sum == m.sum && before.touched(m) {
			before = mark{} // it may have been another one meanwhile
		}
		seen[s] = before
	}
	return seen
}

// touched reports whether the source was replaced or written to since m.
func (m mark) touched(now mark) bool {
	if m.info == nil || now.info == nil {
		return false
	}
	return !os.SameFile(m.info, now.info) || !m.info.ModTime().Equal(now.info.ModTime())
}

// unfinished reports whether the source, which looked like old, is likely to
// become something else: many programs save by removing or emptying it first.
func (m mark) unfinished(old mark) bool {
	switch {
	case m.info == nil:
		return old.info != nil
	case !m.info.Mode().IsRegular():
		return false
	case m.info.Size() == 0 && old.info != nil && old.info.Size() > 0:
		return true
	}
	return writing(m.real)
}
