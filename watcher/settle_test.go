package watcher

import (
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestSettle: in every row a file is written to at some times, in ms, and an
// event tells of each write. Reloads come at the times of want, with the
// content of that time.
func TestSettle(t *testing.T) {
	for _, c := range []struct {
		name   string
		writes []int
		want   []int
	}{
		{"one write is taken after the quiet", []int{0}, []int{100}},
		{"writes close to each other are one change", []int{0, 90, 180, 270}, []int{370}},
		{"writes far from each other are two", []int{0, 150}, []int{100, 250}},
		{"a writer that goes on is cut off at the ceiling, and what follows settles again", every(90, 2500), []int{2000, 2530}},
		{"a write shortly before the ceiling", append(every(90, 1900), 1970), []int{2000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, f := newEar(), newFolder(t, "a")
				put(t, f.path("a"), "")
				f.begin(t, from(e.open))
				began := time.Now()
				go func() {
					for _, at := range c.writes {
						time.Sleep(time.Until(began.Add(ms(at))))
						put(t, f.path("a"), time.Since(began).String())
						e.hears(f.path("a"))
					}
				}()
				for _, at := range c.want {
					got := f.next(t)
					if since := time.Since(began); since != ms(at) {
						t.Fatalf("reload after %v, want %v", since, ms(at))
					}
					if got.read[f.path("a")] != describe(f.path("a")) {
						t.Fatalf("read %v", got.read)
					}
				}
				f.silent(t)
			})
		})
	}
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// every returns the multiples of step below end.
func every(step, end int) []int {
	var all []int
	for at := 0; at < end; at += step {
		all = append(all, at)
	}
	return all
}

// silent fails if there is a reload within the next minute. It works in a
// bubble of synctest only.
func (f *folder) silent(t testing.TB) {
	t.Helper()
	select {
	case c := <-f.calls:
		t.Fatalf("reload of %v for nothing", c.changed)
	case <-time.After(time.Minute):
	}
}

// TestComesBack: a source that is gone, or empty where it was not, is given
// until the ceiling to come back. Then that is what it is.
func TestComesBack(t *testing.T) {
	remove := func(path string) error { return os.Remove(path) }
	empty := func(path string) error { return os.Truncate(path, 0) }
	for _, c := range []struct {
		name string
		lose func(path string) error
		back int // when it is written again
		want int
	}{
		{"removed", remove, 450, 550},
		{"removed for good", remove, 5000, 2000},
		{"emptied", empty, 450, 550},
		{"emptied for good", empty, 5000, 2000},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, f := newEar(), newFolder(t, "a")
				put(t, f.path("a"), "old")
				f.begin(t, from(e.open))
				if err := c.lose(f.path("a")); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				e.hears(f.path("a"))
				var back sync.WaitGroup
				back.Go(func() {
					time.Sleep(ms(c.back))
					put(t, f.path("a"), "new")
					e.hears(f.path("a"))
				})
				defer back.Wait()
				f.next(t)
				if since := time.Since(began); since != ms(c.want) {
					t.Errorf("reload after %v, want %d ms", since, c.want)
				}
			})
		})
	}
}

// TestWriteDuringLook: the quiet before a look does not count if an event
// comes while it is taken.
func TestWriteDuringLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, f := newEar(), newFolder(t, "a")
		f.begin(t, from(e.open))
		began := time.Now()
		put(t, f.path("a"), "one")
		e.hears(f.path("a"))
		looks := 0
		e.answer(func(string) error { // a look begins with the watches
			if looks++; looks == 1 {
				put(t, f.path("a"), "one, two")
				e.hears(f.path("a"))
				synctest.Wait()
			}
			return nil
		})
		f.next(t)
		if since := time.Since(began); since != ms(200) {
			t.Errorf("reload after %v, want 100ms after the second write", since)
		}
	})
}

// TestOthersNoise: a busy neighbour in a watched directory delays nothing and
// causes no reload.
func TestOthersNoise(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, f := newEar(), newFolder(t, "a")
		f.begin(t, from(e.open))
		stop := make(chan struct{})
		hush := sync.OnceFunc(func() { close(stop) })
		defer hush()
		go func() {
			for tick := time.Tick(ms(10)); ; {
				select {
				case <-stop:
					return
				case <-tick:
					e.hears(f.path("log"))
				}
			}
		}()
		time.Sleep(time.Minute)
		put(t, f.path("a"), "one")
		began := time.Now()
		e.hears(f.path("a"))
		f.want(t, "a")
		if since := time.Since(began); since != ms(100) {
			t.Errorf("reload after %v, want 100ms", since)
		}
		hush()
		f.silent(t)
	})
}

// TestHaste: an event that names what belongs to a source is looked at after
// the quiet. Any other is looked at too, but others wait for no such thing to
// end: within the ceiling, and a second look tells whether somebody writes.
func TestHaste(t *testing.T) {
	for _, c := range []struct {
		name, file, event string
		want              int
	}{
		{"a source", "a", "a", 100},
		{"a new name in a directory that is a source", "d/new", "d/new", 100},
		{"the parent of a missing source", "p/q/b", "p", 200}, // nothing in p was heard of before the look
		{"a name that no look has met, as where a is A", "a", "A", 2100},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, f := newEar(), newFolder(t, "a", "d", "p/q/b")
				put(t, f.path("d/old"), "")
				f.begin(t, from(e.open))
				put(t, f.path(c.file), "one")
				began := time.Now()
				e.hears(f.path(c.event))
				f.next(t)
				if since := time.Since(began); since != ms(c.want) {
					t.Errorf("reload after %v, want %d ms", since, c.want)
				}
			})
		})
	}
}

// TestSilentWriter: where no event tells of writes, a change is taken when two
// looks have found the same, and they are as far from each other as the quiet.
func TestSilentWriter(t *testing.T) {
	for name, c := range map[string]struct {
		opts []Option
		want int // looks follow each other in 100 ms, and the last write is at 780
	}{
		"polling":       {[]Option{WithoutEvents(), WithPoll(ms(500))}, 900},
		"quick polling": {[]Option{WithoutEvents(), WithPoll(ms(10))}, 910},
		"recheck":       {[]Option{from(newEarOf), WithRecheck(ms(500))}, 900},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFolder(t, "a")
				f.begin(t, c.opts...)
				began := time.Now()
				go func() {
					for _, at := range every(30, 800) {
						time.Sleep(time.Until(began.Add(ms(at))))
						put(t, f.path("a"), time.Since(began).String())
					}
				}()
				f.next(t)
				if since := time.Since(began); since != ms(c.want) {
					t.Errorf("reload after %v, want %d ms", since, c.want)
				}
				f.silent(t)
			})
		})
	}
}

func newEarOf() (notifier, error) { return newEar().open() }

// TestNewDirectory: nothing tells of writes in a directory before it is
// watched, so that silence does not mean that a file in it is complete.
func TestNewDirectory(t *testing.T) {
	for name, old := range map[string]bool{"new": false, "replaced": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, f := newEar(), newFolder(t, "d/a")
				if old {
					put(t, f.path("d/a"), "one")
				}
				f.begin(t, from(e.open))
				if err := os.RemoveAll(f.path("d")); err != nil {
					t.Fatal(err)
				}
				put(t, f.path("d/a"), "first half")
				e.hears(f.path("d"))
				time.Sleep(ms(150)) // a look was taken at 100
				put(t, f.path("d/a"), "both halves")
				if c := f.next(t); c.read[f.path("d/a")] != describe(f.path("d/a")) {
					t.Errorf("read %v", c.read)
				}
				f.silent(t)
			})
		})
	}
}
