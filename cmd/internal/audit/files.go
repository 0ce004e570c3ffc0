package audit

import (
	"fmt"
	"os"
	"slices"
)

// maxKept is the greatest number that a rotated file may have.
const maxKept = 99

// numbered returns the name of the nth file behind the current one, which is
// number 0.
func numbered(path string, n int) string {
	if n == 0 {
		return path
	}
	return fmt.Sprintf("%s.%d", path, n)
}

// openFiles opens the files of the log at path, the oldest first.
func openFiles(path string) ([]*tail, error) {
	for range 100 {
		tails, ok, err := tryOpenFiles(path)
		if ok || err != nil {
			return tails, err
		}
	}
	return nil, fmt.Errorf("%s is rotated faster than its files can be opened", path)
}

// tryOpenFiles goes up from the current file. A file only ever moves to a
// greater number, so that none is missed, though one may be found twice. It is
// not ok if a file was begun meanwhile: that one may have been found too, out
// of order.
func tryOpenFiles(path string) (tails []*tail, ok bool, err error) {
	newest := 0
	for n := range maxKept + 1 {
		t, err := openTail(numbered(path, n))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			closeAll(tails)
			return nil, false, err
		}
		if slices.ContainsFunc(tails, t.same) {
			t.f.Close()
			continue
		}
		if len(tails) == 0 {
			newest = n
		}
		tails = append(tails, t)
	}
	if !newestIs(path, newest, tails) {
		closeAll(tails)
		return nil, false, nil
	}
	slices.Reverse(tails)
	return tails, true, nil
}

// newestIs reports whether the first of tails, if there is one, still is the
// newest file and has the number n: then none was begun since it was opened.
func newestIs(path string, n int, tails []*tail) bool {
	if n > 0 || len(tails) == 0 {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			return false
		}
	}
	if len(tails) == 0 {
		return true
	}
	now, err := os.Stat(numbered(path, n))
	return err == nil && os.SameFile(now, tails[0].info)
}

// since returns those of tails, which it takes over, that come after t.
func since(tails []*tail, t *tail) []*tail {
	i := 1 + slices.IndexFunc(tails, t.same)
	if i == 0 { // t has been removed; what is left of its elders has an earlier time
		now, err := t.f.Stat()
		for err == nil && i < len(tails) && tails[i].info.ModTime().Before(now.ModTime()) {
			i++
		}
	}
	closeAll(tails[:i])
	return tails[i:]
}

func closeAll(tails []*tail) {
	for _, t := range tails {
		t.f.Close()
	}
}
