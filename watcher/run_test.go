package watcher

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// names returns what a Reload was told, as one word each.
func (c call) names() string { return strings.Join(c.changed, " ") }

// TestWhileReloading: what Reload saw of a file that changes under it, nobody
// knows, so it is called again; and then no more.
func TestWhileReloading(t *testing.T) {
	for name, c := range map[string]struct {
		during func(t *testing.T, f *folder)
		again  string
	}{
		"nothing":            {func(*testing.T, *folder) {}, ""},
		"another file":       {func(t *testing.T, f *folder) { put(t, f.path("b"), "two") }, "b"},
		"the same file":      {func(t *testing.T, f *folder) { put(t, f.path("a"), "three") }, "a"},
		"it changes back":    {func(t *testing.T, f *folder) { put(t, f.path("b"), "two"); put(t, f.path("b"), "one") }, "b"},
		"a new source":       {func(_ *testing.T, f *folder) { f.set("a", "b", "c", "none") }, "c none"},
		"a source less":      {func(_ *testing.T, f *folder) { f.set("a") }, ""},
		"replaced by a copy": {func(t *testing.T, f *folder) { save(t, f.path("b"), "one") }, "b"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFolder(t, "a", "b")
				for _, file := range []string{"a", "b", "c"} {
					put(t, f.path(file), "one")
				}
				f.begin(t, WithoutEvents())
				f.inNext(func() { c.during(t, f) })
				put(t, f.path("a"), "two")
				if got := f.next(t).names(); got != "a" {
					t.Fatalf("reload of %s, want a", got)
				}
				if began := time.Now(); c.again != "" {
					if got := f.next(t).names(); got != c.again || time.Since(began) != ms(100) {
						t.Errorf("after %v reload of %s, want %s after the quiet", time.Since(began), got, c.again)
					}
				}
				f.silent(t)
			})
		})
	}
}

func save(t testing.TB, path, text string) {
	t.Helper()
	if err := replace(path, func(temp string) error { return write(temp, text) }); err != nil {
		t.Fatal(err)
	}
}

// TestRefusedAtFirst: until a Reload of everything was taken, all are of
// everything.
func TestRefusedAtFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFolder(t, "a", "b")
		f.answer(errors.New("broken"))
		f.begin(t, WithoutEvents())
		put(t, f.path("a"), "one")
		if c := f.next(t); c.changed != nil {
			t.Errorf("reload of %v, want everything", c.changed)
		}
		f.answer(nil)
		put(t, f.path("a"), "two")
		if c := f.next(t); c.changed != nil {
			t.Errorf("reload of %v, want everything", c.changed)
		}
		put(t, f.path("b"), "one")
		f.want(t, "b")
		f.silent(t)
	})
}

// TestObserver: who watches hears of each Reload and how it ended.
func TestObserver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		heard, broken := make(notices, 10), errors.New("a:1:1: broken")
		e, f := newEar(), newFolder(t, "a")
		f.begin(t, from(e.open), heard.option())
		heard.want(t, Reloaded, "", nil)
		f.answer(broken)
		for _, text := range []string{"bad", "worse"} {
			put(t, f.path("a"), text)
			e.hears(f.path("a"))
			heard.want(t, Refused, f.path("a"), broken)
		}
		f.answer(nil)
		put(t, f.path("a"), "good")
		e.hears(f.path("a"))
		heard.want(t, Reloaded, f.path("a"), nil)
	})
}

func (n notices) want(t *testing.T, kind Kind, changed string, err error) {
	t.Helper()
	select {
	case got := <-n:
		if got.Kind != kind || strings.Join(got.Changed, " ") != changed || !errors.Is(got.Err, err) {
			t.Fatalf("notice %v of %v, error %v; want %v of %q, error %v", got.Kind, got.Changed, got.Err, kind, changed, err)
		}
	case <-time.After(patience):
		t.Fatalf("no notice, want %v", kind)
	}
}

// TestWatchLimit: where watches run out, changes are found by polling; where
// they come back, by events (B127).
func TestWatchLimit(t *testing.T) {
	for name, limit := range map[string]error{"watches": syscall.ENOSPC, "instances": syscall.EMFILE, "permission": syscall.EACCES} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, f, heard := newEar(), newFolder(t, "a", "d/b"), make(notices, 10)
				put(t, f.path("d/b"), "one")
				var full atomic.Bool
				full.Store(true)
				open := func() (notifier, error) {
					if name == "instances" && full.Load() {
						return notifier{}, limit
					}
					return e.open()
				}
				e.answer(func(dir string) error {
					if dir == f.path("d") && full.Load() {
						return limit
					}
					return nil
				})
				f.begin(t, from(open), heard.option(), WithRecheck(time.Hour))
				heard.want(t, Polling, "", limit)
				heard.want(t, Reloaded, "", nil)

				put(t, f.path("d/b"), "two")
				began := time.Now()
				f.want(t, "d/b")
				if since := time.Since(began); since > ms(1100) {
					t.Errorf("reload after %v, want a poll of 1s and the quiet", since)
				}
				heard.want(t, Reloaded, f.path("d/b"), nil)

				full.Store(false)
				heard.want(t, Watching, "", nil)
				put(t, f.path("d/b"), "three")
				e.hears(f.path("d/b"))
				began = time.Now()
				f.want(t, "d/b")
				if since := time.Since(began); since != ms(100) {
					t.Errorf("reload after %v, want the quiet only", since)
				}
				heard.want(t, Reloaded, f.path("d/b"), nil)
			})
		})
	}
}

// TestOverflow: where events are lost, everything is looked at again (B126).
func TestOverflow(t *testing.T) {
	for name, lose := range map[string]func(e *ear){
		"of the system": func(e *ear) { e.errors <- fsnotify.ErrEventOverflow },
		"other error":   func(e *ear) { e.errors <- errors.New("short read") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, f := newEar(), newFolder(t, "a", "b")
				f.begin(t, from(e.open), WithRecheck(time.Hour))
				put(t, f.path("b"), "one")
				lose(e)
				began := time.Now()
				f.want(t, "b")
				if since := time.Since(began); since != ms(200) {
					t.Errorf("reload after %v, want two looks, 100ms apart", since)
				}
				f.silent(t)
			})
		})
	}
}

// TestSlowObserver: events that come while nobody listens do not wait in
// memory, and the change that they tell of is not lost with them.
func TestSlowObserver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, f := newEar(), newFolder(t, "a")
		busy := sync.OnceFunc(func() {
			for range 10 * maxHints {
				e.hears(f.path("other"))
			}
			put(t, f.path("a"), "one")
			e.hears(f.path("a"))
		})
		began := time.Now()
		f.begin(t, from(e.open), WithObserver(func(Notice) { busy() }))
		f.want(t, "a")
		if since := time.Since(began); since != ms(200) {
			t.Errorf("reload after %v, want two looks, 100ms apart", since)
		}
		f.silent(t)
	})
}

// TestHalfBlind: where not every directory is watched, silence of the others
// does not mean that a file is complete.
func TestHalfBlind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, f := newEar(), newFolder(t, "a", "d/b")
		put(t, f.path("d/b"), "old")
		e.answer(func(dir string) error {
			if dir == f.path("d") {
				return syscall.ENOSPC
			}
			return nil
		})
		f.begin(t, from(e.open))
		put(t, f.path("a"), "one")
		put(t, f.path("d/b"), "first half")
		e.hears(f.path("a"))
		time.Sleep(ms(150)) // a look was taken at 100
		put(t, f.path("d/b"), "both halves")
		if c := f.next(t); c.names() != "a d/b" || c.read[f.path("d/b")] != describe(f.path("d/b")) {
			t.Errorf("reload of %v, read %v", c.changed, c.read)
		}
		f.silent(t)
	})
}

// TestEnd: Run ends with its context, also while it reloads, and says nothing
// of the error that comes of it.
func TestEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		e, heard := newEar(), make(notices, 10)
		w, err := New(stuck{cancel}, from(e.open), heard.option())
		if err != nil {
			t.Fatal(err)
		}
		w.Run(ctx)
		if len(heard) > 0 {
			t.Errorf("notice %v after the end", <-heard)
		}
		select {
		case <-e.events:
		default:
			t.Error("the notifier is not closed")
		}
	})
}

// stuck is a target whose Reload waits for the end.
type stuck struct{ cancel func() }

func (stuck) Sources() []string { return []string{"a"} }

func (s stuck) Reload(ctx context.Context, _ ...string) error {
	go s.cancel()
	<-ctx.Done()
	return ctx.Err()
}

// TestWatched: watched are the directories in which a change can change a
// source, and those only.
func TestWatched(t *testing.T) {
	f := newFolder(t)
	s := &stage{folder: f, t: t}
	s.play(`
		write d/e/a one
		mkdir links
		link ../d links/dir
		link dir/e/a links/a
		link ../none/x/y links/none`)
	for _, c := range []struct{ sources, want string }{
		{"d/e/a", "d/e"},
		{"d/e", "d d/e"},
		{"d/e/a d/e/b d/x", "d d/e"},
		{"p/q/r", "."},
		{"d/p/q/r", "d"},
		{"d/e/a/q", "d/e"},
		{"links/dir/e/a", "d/e links"},
		{"links/a", "d/e links"},
		{"links/none", ". links"},
	} {
		t.Run(c.sources, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, f := newEar(), folderAt(f.root, "other")
				f.begin(t, from(e.open))
				f.set(strings.Fields(c.sources)...)
				e.hears(f.path("other"))
				f.next(t)
				synctest.Wait()
				var want []string
				for _, dir := range strings.Fields(c.want) {
					want = append(want, f.path(dir))
				}
				if got := e.watched(); !slices.Equal(got, want) {
					t.Errorf("watched %v, want %v", got, want)
				}
			})
		})
	}
}

// TestNoGap: what is created after a look and before the watch that the look
// led to is found, and then watched.
func TestNoGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, f, heard := newEar(), newFolder(t, "d/e/a"), make(notices, 10)
		e.adding = func(dir string) {
			switch dir {
			case f.root, f.path("d"):
				next := map[string]string{f.root: "d", f.path("d"): "d/e"}[dir]
				if err := os.Mkdir(f.path(next), 0o755); err != nil {
					t.Error(err)
				}
			case f.path("d/e"):
				put(t, f.path("d/e/a"), "one")
			}
		}
		f.begin(t, from(e.open), heard.option(), WithRecheck(time.Hour))
		heard.want(t, Reloaded, "", nil) // and not that something cannot be watched
		if got := e.watched(); !slices.Equal(got, []string{f.path("d/e")}) {
			t.Fatalf("watched %v, want d/e", got)
		}
		put(t, f.path("d/e/a"), "two")
		e.hears(f.path("d/e/a"))
		f.want(t, "d/e/a")
		f.silent(t)
	})
}

// TestOptions: what makes no sense is refused when the Watcher is made.
func TestOptions(t *testing.T) {
	f := &folder{}
	for name, o := range map[string]Option{
		"quiet":    WithSettle(0, time.Second),
		"ceiling":  WithSettle(time.Second, time.Millisecond),
		"poll":     WithPoll(0),
		"recheck":  WithRecheck(-1),
		"observer": WithObserver(nil),
	} {
		if w, err := New(f, o); err == nil || w != nil || !strings.Contains(err.Error(), name) && name != "quiet" && name != "ceiling" {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := New(nil); err == nil {
		t.Error("no target: no error")
	}
}
