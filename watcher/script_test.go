package watcher

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "32") // the scripts wait more than they work
	goleak.VerifyTestMain(m)
}

// patience is how long a test waits for what must happen.
const patience = 30 * time.Second

// folder is a target: it reads its sources, which lie below root, and tells
// of each Reload.
type folder struct {
	root  string
	calls chan call
	done  chan struct{} // for each call, when the watcher has looked again

	mu      sync.Mutex
	sources []string // relative to root
	refuse  error
	during  func()
}

// call is one Reload: what it was told, relative to root, and what it read.
type call struct {
	changed []string
	read    map[string]string
}

func newFolder(t testing.TB, sources ...string) *folder {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return folderAt(root, sources...)
}

func folderAt(root string, sources ...string) *folder {
	return &folder{root: root, calls: make(chan call, 10_000), done: make(chan struct{}, 10_000), sources: sources}
}

func (f *folder) path(name string) string { return filepath.Join(f.root, name) }

func (f *folder) set(sources ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sources = sources
}

func (f *folder) Sources() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for _, s := range f.sources {
		all = append(all, f.path(s))
	}
	return all
}

func (f *folder) Reload(_ context.Context, changed ...string) error {
	f.mu.Lock()
	during, err := f.during, f.refuse
	f.during = nil
	f.mu.Unlock()
	if during != nil {
		during()
	}
	c := call{read: f.read()}
	for _, s := range changed {
		name, _ := filepath.Rel(f.root, s)
		c.changed = append(c.changed, name)
	}
	f.calls <- c
	return err
}

// read describes all sources as they are now.
func (f *folder) read() map[string]string {
	all := map[string]string{}
	for _, path := range f.Sources() {
		all[path] = describe(path)
	}
	return all
}

func describe(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "nothing"
	}
	info, err := os.Stat(real)
	if err != nil {
		return "nothing"
	}
	text := real + " " + info.Mode().String()
	switch {
	case info.IsDir():
		entries, _ := os.ReadDir(real)
		for _, e := range entries {
			text += " " + e.Name() + e.Type().String()
		}
	case info.Mode().IsRegular():
		data, _ := os.ReadFile(real)
		text += " " + string(data)
	}
	return text
}

// begin runs a Watcher of f until the test ends, and waits for the first
// Reload.
func (f *folder) begin(t testing.TB, opts ...Option) {
	w, err := New(f, append(opts, f.observer)...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	if c := f.next(t); c.changed != nil {
		t.Fatalf("the first Reload names %v, want none: look at everything", c.changed)
	}
}

// observer notes, beside what the other observer does, when a Reload is over.
func (f *folder) observer(c *config) error {
	other := c.observe
	c.observe = func(n Notice) {
		other(n)
		if n.Kind == Reloaded || n.Kind == Refused {
			f.done <- struct{}{}
		}
	}
	return nil
}

// next waits for a Reload, and until the watcher has looked again: what is
// done earlier is done while Reload runs.
func (f *folder) next(t testing.TB) call {
	t.Helper()
	select {
	case <-f.done:
		return <-f.calls
	case <-time.After(patience):
		t.Fatalf("no reload; there is %v", f.read())
		panic("unreachable")
	}
}

// want waits until f has read what is there now, and was told of changes of
// these sources and of no other.
func (f *folder) want(t testing.TB, names ...string) {
	t.Helper()
	got := map[string]bool{}
	for {
		c := f.next(t)
		for _, name := range c.changed {
			if got[name] = true; !slices.Contains(names, name) {
				t.Fatalf("reload of %v, want only %v", c.changed, names)
			}
		}
		if len(got) == len(names) && maps.Equal(c.read, f.read()) {
			return
		}
	}
}

// stage is where a script plays.
type stage struct {
	*folder
	t    testing.TB
	opts []Option
	n    int // writes to the marker
}

// marker is a source that tells when all before was seen.
const marker = "marker"

func (s *stage) play(script string) {
	for line := range strings.Lines(script) {
		if args := strings.Fields(line); len(args) > 0 {
			if err := s.do(args[0], args[1:]); err != nil {
				s.t.Fatalf("%s: %v", strings.TrimSpace(line), err)
			}
		}
	}
}

func (s *stage) do(command string, args []string) error {
	arg := func(i int) string { return s.path(args[i]) }
	switch command {
	case "sources":
		s.set(append(args, marker)...)
	case "start":
		s.begin(s.t, s.opts...)
	case "write":
		return write(arg(0), strings.Join(args[1:], " "))
	case "append":
		f, err := os.OpenFile(arg(0), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString(strings.Join(args[1:], " "))
		return errors.Join(err, f.Close())
	case "save":
		return replace(arg(0), func(temp string) error { return write(temp, strings.Join(args[1:], " ")) })
	case "times":
		n, _ := strconv.Atoi(args[0])
		for i := range n {
			if err := write(arg(1), fmt.Sprint(i)); err != nil {
				return err
			}
		}
	case "link":
		return replace(arg(1), func(temp string) error { return os.Symlink(args[0], temp) })
	case "mkdir":
		return os.MkdirAll(arg(0), 0o755)
	case "fifo":
		return errors.Join(os.MkdirAll(filepath.Dir(arg(0)), 0o755), mkfifo(arg(0)))
	case "mv":
		return os.Rename(arg(0), arg(1))
	case "rm":
		return os.RemoveAll(arg(0))
	case "chmod":
		mode, err := strconv.ParseUint(args[0], 8, 32)
		return errors.Join(err, os.Chmod(arg(1), fs.FileMode(mode)))
	case "touch":
		return os.Chtimes(arg(0), time.Unix(1, 0), time.Unix(1, 0))
	case "refuse":
		s.answer(errors.New("a.yaml:1:1: broken"))
	case "accept":
		s.answer(nil)
	case "want":
		s.want(s.t, args...)
	case "nothing":
		s.n++
		if err := write(s.path(marker), fmt.Sprint(s.n)); err != nil {
			return err
		}
		s.want(s.t, marker)
	default:
		return errors.New("unknown command")
	}
	return nil
}

// inNext runs during in the next Reload, before it reads.
func (f *folder) inNext(during func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.during = during
}

func (f *folder) answer(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refuse = err
}

// write writes in place; a file that is there is never without content.
func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Truncate(int64(len(text))), f.Close())
}

// replace makes something and renames it to path.
func replace(path string, create func(temp string) error) error {
	temp := path + ".tmp"
	if err := create(temp); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

// TestReloads plays the scripts.
func TestReloads(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/reloads.txtar")
	if err != nil || len(archive.Files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range archive.Files {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			t.Run("events", func(t *testing.T) {
				// The long quiet keeps a busy machine from making two changes of
				// one; a recheck would hide an event that does not come.
				s := &stage{folder: newFolder(t), t: t, opts: []Option{WithSettle(ms(150), ms(800)), WithRecheck(time.Hour)}}
				s.play(string(file.Data))
			})
			t.Run("polling", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &stage{folder: newFolder(t), t: t, opts: []Option{WithoutEvents()}}
					s.play(string(file.Data))
				})
			})
		})
	}
}
