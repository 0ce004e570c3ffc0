package watcher

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"
)

// TestStress: many write, rename, move directories away and swap links at
// once. What Reload reads last is what is there in the end.
func TestStress(t *testing.T) {
	for name, o := range map[string]Option{"events": WithRecheck(time.Hour), "polling": WithoutEvents()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFolder(t, "d0", "d1", "link/0", "link/1")
			for i := range 20 {
				f.sources = append(f.sources, fmt.Sprintf("d%d/%d", i%2, i))
			}
			f.begin(t, o, WithSettle(ms(5), ms(50)), WithPoll(ms(5)))
			var writers sync.WaitGroup
			for seed := range uint64(8) {
				writers.Go(func() { f.scribble(rand.New(rand.NewPCG(seed, 0)), 500) })
			}
			writers.Wait()
			for !maps.Equal(f.next(t).read, f.read()) {
			}
		})
	}
}

// scribble changes n things below f. Another may be in the way, so that some
// changes fail.
func (f *folder) scribble(r *rand.Rand, n int) {
	for i := range n {
		dir := fmt.Sprintf("d%d", r.IntN(2))
		file := fmt.Sprintf("%s/%d", dir, r.IntN(20))
		text := fmt.Sprint(i)
		switch r.IntN(8) {
		case 0:
			_ = os.Rename(f.path(dir), f.path("away"))
			_ = os.Rename(f.path("away"), f.path(dir))
		case 1:
			_ = os.Rename(f.path(dir), f.path("away"+text))
			_ = os.RemoveAll(f.path("away" + text)) // moved and gone before anybody looks
		case 2:
			_ = replace(f.path("link"), func(temp string) error { return os.Symlink(dir, temp) })
		case 3:
			_ = os.Remove(f.path(file))
		case 4, 5:
			_ = replace(f.path(file), func(temp string) error { return write(temp, text) })
		default:
			_ = write(f.path(file), text)
		}
	}
}

// TestMovedAndGone: fsnotify waits for somebody to take an error, while it
// holds its lock, when a directory is moved and removed before it gets to it.
// Run must not wait for that lock at the same time.
func TestMovedAndGone(t *testing.T) {
	f := newFolder(t, "d", "d/e", "end")
	f.begin(t, WithSettle(time.Microsecond, time.Microsecond), WithRecheck(time.Hour))
	for range 1000 {
		_ = os.MkdirAll(f.path("d/e"), 0o755)
		_ = os.Rename(f.path("d"), f.path("x"))
		_ = os.RemoveAll(f.path("x"))
	}
	put(t, f.path("end"), "")
	for !maps.Equal(f.next(t).read, f.read()) {
	}
}
