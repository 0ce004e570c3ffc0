//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package disk

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	sweepEvery = 64   // one update in so many sweeps
	sweepNames = 4096 // names that a sweep reads
	sweepFiles = 32   // files that it looks into
)

// sweep removes some of the files whose time is over. What it cannot lock or
// read it leaves: the update of that key says what is wrong.
func (s *Store) sweep() {
	dir, err := os.Open(s.dir)
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(sweepNames) // what it got before an error is enough
	rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	now := s.now()
	for _, name := range names[:min(len(names), sweepFiles)] {
		sweepFile(filepath.Join(s.dir, name), now)
	}
}

// sweepFile removes the file at path if it is of no use any more: a value
// whose time is over, a lock that a dead process left, or a next value that
// it did not finish.
func sweepFile(path string, now time.Time) {
	key, unfinished := strings.CutSuffix(path, ".new")
	flags := 0
	if unfinished {
		flags = os.O_CREATE // whoever has the lock may be writing it
	}
	l, err := tryLock(key, flags)
	if l == nil || err != nil {
		return
	}
	defer l.release()
	if unfinished {
		os.Remove(path)
		return
	}
	if value, err := l.read(now); value == nil && err == nil && !l.empty {
		l.remove()
	}
}
