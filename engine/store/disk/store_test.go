//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package disk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var counter = hook.StateKey{Session: "s", Kind: "counter", Name: "n"}

// add adds n to the counter and returns what it is then.
func add(ctx context.Context, s *Store, n int) (sum int, err error) {
	err = s.Update(ctx, counter, 0, func(old []byte) []byte {
		sum, _ = strconv.Atoi(string(old))
		sum += n
		return strconv.AppendInt(nil, int64(sum), 10)
	})
	return sum, err
}

func files(t *testing.T, s *Store) (names []string) {
	t.Helper()
	list, err := os.ReadDir(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func TestFiles(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "deep", "state"))
	if _, err := add(t.Context(), s, 1); err != nil {
		t.Fatal(err)
	}
	names := files(t, s)
	if len(names) != 1 || len(names[0]) != 64 || names[0] != fileName(counter) {
		t.Errorf("files %q", names)
	}
	for path, want := range map[string]os.FileMode{s.dir: 0o700 | os.ModeDir, filepath.Join(s.dir, names[0]): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, want mode %v, %v", path, info.Mode(), want, err)
		}
	}
	// A value that is deleted, or never was, leaves nothing.
	for range 2 {
		if err := s.Update(t.Context(), counter, 0, func([]byte) []byte { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if names := files(t, s); len(names) != 0 {
		t.Errorf("left are %q", names)
	}
}

// A value that cannot be read is not an absent one, and stays as it is.
func TestDamaged(t *testing.T) {
	s := open(t, t.TempDir())
	if _, err := add(t.Context(), s, 7); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.dir, fileName(counter))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	later := strings.Replace(string(whole), " 1", " 2", 1)
	for name, data := range map[string]string{
		"cut": string(whole[:len(whole)-1]), "header only": "pawl1", "longer": string(whole) + "0",
		"another expiry": later, "text": "7", "another version": "pawl2" + string(whole[5:]),
		"too large": string(whole) + strings.Repeat("7", MaxValue+maxHeader),
	} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := add(t.Context(), s, 1)
		if err == nil || !strings.Contains(err.Error(), path+" cannot be read") {
			t.Errorf("%s: %v", name, err)
		}
		s.sweep()
		if now, err := os.ReadFile(path); err != nil || string(now) != data {
			t.Errorf("%s: the file has changed: %v", name, err)
		}
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "victim")
	write(t, elsewhere, "precious")
	s := open(t, dir)
	path := filepath.Join(dir, fileName(counter))

	tests := []struct {
		name, want string
		plant      func() error
	}{
		{"link", "is a symbolic link", func() error { return os.Symlink(elsewhere, path) }},
		{"dangling link", "is a symbolic link", func() error { return os.Symlink(elsewhere+"x", path) }},
		{"directory", "is a directory", func() error { return os.Mkdir(path, 0o700) }},
		{"pipe", "is not a file of this user: remove it", func() error { return syscall.Mkfifo(path, 0o600) }},
		{"next value cannot be written", "file exists", func() error { return os.MkdirAll(path+".new/x", 0o700) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.plant(); err != nil {
				t.Fatal(err)
			}
			_, err := add(t.Context(), s, 1)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			os.RemoveAll(path)
			os.RemoveAll(path + ".new")
		})
	}
	if err := os.Symlink(elsewhere, path+".new"); err != nil {
		t.Fatal(err)
	}
	if _, err := add(t.Context(), s, 0); err != nil {
		t.Errorf("a link in the place of the next value: %v", err)
	}
	os.Remove(path)
	if data, err := os.ReadFile(elsewhere); err != nil || string(data) != "precious" {
		t.Errorf("a file elsewhere was changed: %q, %v", data, err)
	}
	big := func([]byte) []byte { return make([]byte, MaxValue+1) }
	if err := s.Update(t.Context(), counter, 0, big); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a value over the limit: %v", err)
	}
	if names := files(t, s); len(names) != 0 {
		t.Errorf("left are %q", names)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	loose := filepath.Join(dir, "loose")
	if err := errors.Join(os.Mkdir(loose, 0o700), os.Chmod(loose, 0o777), os.Symlink(loose, dir+"/link")); err != nil {
		t.Fatal(err)
	}
	write(t, dir+"/file", "")
	open(t, loose)
	if info, err := os.Stat(loose); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	write(t, loose+"/file", "")
	if err := os.Chmod(loose, 0o750); err != nil {
		t.Fatal(err)
	}
	if _, err := Open("", nil); err == nil {
		t.Error("no directory is no error")
	}
	for path, want := range map[string]string{
		"/loose": "open to other users: chmod 700 it", "/link": "is a symbolic link: name the directory", "/file": "not a directory", "/file/below": "not a directory",
	} {
		if s, err := Open(dir+path, nil); err == nil || s != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if _, err := Open("/proc/pawl", nil); err == nil {
		t.Error("a place where nothing can be made is no error")
	}
	if os.Geteuid() == 0 {
		foreign := filepath.Join(dir, "foreign")
		if err := errors.Join(os.Mkdir(foreign, 0o700), os.Chown(foreign, 12345, 12345)); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(foreign, nil); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
			t.Errorf("the directory of another user: %v", err)
		}
	}
}

// A directory that is removed under a running store is made again.
func TestRemovedDirectory(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "state"))
	for range 2 {
		if sum, err := add(t.Context(), s, 1); err != nil || sum != 1 {
			t.Fatal(sum, err)
		}
		os.RemoveAll(s.dir)
	}
	write(t, s.dir, "")
	if _, err := add(t.Context(), s, 1); err == nil {
		t.Error("a file in place of the directory is no error")
	}
}

func TestWaitEnds(t *testing.T) {
	s := open(t, t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	err := s.Update(t.Context(), counter, 0, func(old []byte) []byte {
		if _, err := add(ctx, s, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the inner update: %v", err)
		}
		return old
	})
	if err != nil {
		t.Error(err)
	}
}

func TestSweep(t *testing.T) {
	clock := time.Now()
	s, err := Open(t.TempDir(), func() time.Time { return clock })
	if err != nil {
		t.Fatal(err)
	}
	set := func(name string, ttl time.Duration) {
		key := hook.StateKey{Name: name}
		if err := s.Update(t.Context(), key, ttl, func([]byte) []byte { return []byte("x") }); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		set("short"+strconv.Itoa(i), time.Minute)
	}
	set("long", 0)
	// What processes leave that are killed: a lock, and a next value.
	write(t, filepath.Join(s.dir, fileName(hook.StateKey{Name: "lock"})), "")
	write(t, filepath.Join(s.dir, fileName(hook.StateKey{Name: "next"})+".new"), "pawl1")
	clock = clock.Add(time.Hour)
	s.sweep()
	if names := files(t, s); len(names) != 1 || names[0] != fileName(hook.StateKey{Name: "long"}) {
		t.Errorf("left are %q", names)
	}
	set("short0", time.Minute)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
