package watcher

import (
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestWriterThatPauses: a prefix of a file may be a valid file, so one that
// somebody has open for writing is not taken, up to the ceiling.
func TestWriterThatPauses(t *testing.T) {
	for name, c := range map[string]struct{ pause, want time.Duration }{
		"a second":     {ms(950), ms(1000)}, // closed at 950; looks at 100, 200, …
		"for too long": {ms(5000), ms(2000)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, f := newEar(), newFolder(t, "a")
				put(t, f.path("a"), "allow: ls\ndeny: rm\n")
				f.begin(t, from(e.open))
				file, err := os.Create(f.path("a"))
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				if _, err := file.WriteString("allow: ls\n"); err != nil {
					t.Fatal(err)
				}
				e.hears(f.path("a"))
				var writer sync.WaitGroup
				writer.Go(func() {
					time.Sleep(c.pause)
					file.WriteString("deny: rm -rf\n")
					file.Close()
				})
				defer writer.Wait()
				f.next(t)
				if since := time.Since(began); since != c.want {
					t.Errorf("reload after %v, want %v", since, c.want)
				}
			})
		})
	}
}

// TestWriting: only a file that is open for writing counts as being written
// to, and asking leaves nothing behind.
func TestWriting(t *testing.T) {
	f := newFolder(t)
	path := f.path("a")
	put(t, path, "one")
	for flag, want := range map[int]bool{os.O_RDONLY: false, os.O_WRONLY: true, os.O_RDWR: true, os.O_APPEND | os.O_WRONLY: true} {
		file, err := os.OpenFile(path, flag, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := writing(path); got != want {
			t.Errorf("open with flags %#x: writing %t, want %t", flag, got, want)
		}
		file.Close()
		if writing(path) {
			t.Errorf("writing after flags %#x and close", flag)
		}
	}
	if writing(f.path("none")) || writing(f.root) {
		t.Error("nothing and a directory are not written to")
	}
}
