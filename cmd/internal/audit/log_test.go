//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package audit

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// ample is long enough for a busy machine; nothing waits for it to pass.
const ample = time.Minute

func open(t testing.TB, o Options) *Log {
	t.Helper()
	if o.Wait == 0 {
		o.Wait = ample
	}
	l := New(o)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// numberedRecord is a record that can be told from others.
func numberedRecord(n int) Record {
	return Record{Session: "s", Event: "PreToolUse", Verdict: "none", Subject: fmt.Sprint(n)}
}

func put(t testing.TB, l *Log, n int) {
	t.Helper()
	if err := l.Append(numberedRecord(n)); err != nil {
		t.Fatal(err)
	}
}

// read returns the log at path from its oldest record on, and how many lines
// were damaged.
func read(t testing.TB, path string) (all []Record, damaged int) {
	t.Helper()
	r, err := Open(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		line, err := r.Next()
		if err == io.EOF {
			return all, r.Damaged
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, line.Record)
	}
}

func subjectsOf(all []Record) string {
	var b strings.Builder
	for _, r := range all {
		b.WriteString(r.Subject + " ")
	}
	return strings.TrimSpace(b.String())
}

// expect fails unless the log holds records with these subjects.
func expect(t testing.TB, path, want string) []Record {
	t.Helper()
	all, damaged := read(t, path)
	if got := subjectsOf(all); got != want || damaged != 0 {
		t.Fatalf("the log has %q and %d damaged lines, want %q", got, damaged, want)
	}
	return all
}

func TestAppend(t *testing.T) {
	path := Path(filepath.Join(t.TempDir(), "deep", "state"))
	l := open(t, Options{Path: path})
	if _, err := os.Lstat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Error("New has made the directory")
	}
	before := time.Now().Add(-time.Millisecond)
	for n := range 3 {
		put(t, l, n)
	}
	all := expect(t, path, "0 1 2")
	for i, r := range all {
		if r.Time.Before(before) || r.Time.After(time.Now()) || len(r.ID) != 26 || i > 0 && r.ID <= all[i-1].ID || r.Missed != 0 {
			t.Errorf("%+v", r)
		}
	}
	for path, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700 | os.ModeDir} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := l.Append(Record{}); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestGoroutines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l := open(t, Options{Path: path, MaxSize: 4000, Keep: 99})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for n := range 25 {
				if err := l.Append(numberedRecord(g*100 + n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	all, damaged := read(t, path)
	last := ""
	for _, r := range all {
		if r.ID <= last {
			t.Fatalf("%s comes after %s", r.ID, last)
		}
		last = r.ID
	}
	if len(all) != 200 || damaged != 0 {
		t.Errorf("%d records, %d damaged", len(all), damaged)
	}
}

func TestRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	size := int64(len(numberedRecord(10).clean(redactor(t)).line()) + 26) // with its id
	l := open(t, Options{Path: path, MaxSize: 2 * size, Keep: 2})
	for n := 10; n < 18; n++ {
		put(t, l, n)
	}
	expect(t, path, "12 13 14 15 16 17") // the current file and two
	for _, name := range []string{path, path + ".1", path + ".2"} {
		if info, err := os.Stat(name); err != nil || info.Size() > 2*size || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	// A rotation that was cut short leaves a number free, and nothing is lost
	// to it.
	if err := os.Rename(path+".1", path+".2"); err != nil {
		t.Fatal(err)
	}
	expect(t, path, "14 15 16 17")
	put(t, l, 18)
	expect(t, path, "14 15 16 17 18")
}

// A record that does not fit any file is written all the same.
func TestRotationOfSmallFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l := open(t, Options{Path: path, MaxSize: 1})
	for n := range 8 {
		put(t, l, n)
	}
	expect(t, path, "2 3 4 5 6 7")
}

// What a killed process leaves at the end of the file costs that line only.
func TestTornLine(t *testing.T) {
	for name, torn := range map[string]string{"half a line": `{"time":"2026-02-01T12:00`, "zeros after a power cut": "\x00\x00\x00", "half a character": "{\"subject\":\"\xe9"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			put(t, open(t, Options{Path: path}), 1)
			tear(t, path, torn)
			if all, damaged := read(t, path); subjectsOf(all) != "1" || damaged != 1 {
				t.Errorf("before: %v, %d damaged", subjectsOf(all), damaged)
			}
			other := open(t, Options{Path: path})
			put(t, other, 2)
			put(t, other, 3)
			if all, damaged := read(t, path); subjectsOf(all) != "1 2 3" || damaged != 1 {
				t.Errorf("after: %v, %d damaged", subjectsOf(all), damaged)
			}
		})
	}
	t.Run("only the break is missing", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "log")
		l := open(t, Options{Path: path})
		put(t, l, 1)
		info, err := os.Stat(path)
		if err == nil {
			err = os.Truncate(path, info.Size()-1)
		}
		if err != nil {
			t.Fatal(err)
		}
		expect(t, path, "1")
		put(t, l, 2)
		expect(t, path, "1 2")
	})
}

// tear adds text to the end of a file.
func tear(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A fault is told once, and the log itself says how much is missing.
func TestFaultIsToldOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "audit", "log")
	if err := os.WriteFile(filepath.Dir(path), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l := open(t, Options{Path: path})
	for round := range 2 {
		if err := l.Append(numberedRecord(0)); err == nil || !strings.HasPrefix(err.Error(), "audit: ") || !strings.Contains(err.Error(), "not a directory") {
			t.Fatalf("round %d: the first fault is told as %v", round, err)
		}
		for range 3 {
			if err := l.Append(numberedRecord(0)); err != nil {
				t.Fatalf("told again: %v", err)
			}
		}
		if err := os.RemoveAll(filepath.Dir(path)); err != nil {
			t.Fatal(err)
		}
		put(t, l, 1)
		put(t, l, 2)
		if all := expect(t, path, "1 2"); all[0].Missed != 4 || all[1].Missed != 0 {
			t.Errorf("missed %d, then %d", all[0].Missed, all[1].Missed)
		}
		if err := errors.Join(os.RemoveAll(filepath.Dir(path)), os.WriteFile(filepath.Dir(path), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	err := errors.Join(
		os.WriteFile(victim, []byte("precious\n"), 0o600),
		os.Symlink(victim, filepath.Join(dir, "link")),
		os.Symlink(victim+"x", filepath.Join(dir, "dangling")),
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600),
		os.Mkdir(filepath.Join(dir, "directory"), 0o700),
	)
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		"link": "is a symbolic link", "dangling": "is a symbolic link", "pipe": "is not a file of this user", "directory": "is a directory",
		"victim/below": "not a directory",
	}
	if os.Geteuid() == 0 {
		foreign := filepath.Join(dir, "foreign")
		if err := errors.Join(os.WriteFile(foreign, nil, 0o666), os.Chown(foreign, 12345, 12345)); err != nil {
			t.Fatal(err)
		}
		tests["foreign"] = "is not a file of this user"
	}
	for name, want := range tests {
		err := open(t, Options{Path: filepath.Join(dir, name)}).Append(numberedRecord(1))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), filepath.Join(dir, name)) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if data, err := os.ReadFile(victim); err != nil || string(data) != "precious\n" {
		t.Errorf("a file elsewhere was changed: %q, %v", data, err)
	}
	if _, err := os.Lstat(victim + "x"); err == nil {
		t.Error("a dangling link was followed")
	}
}

// Where old files cannot be renamed, the record is written and the fault told.
func TestRotationFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l := open(t, Options{Path: path, MaxSize: 1, Keep: 1})
	put(t, l, 1)
	if err := os.MkdirAll(path+".1/full", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(numberedRecord(2)); err == nil {
		t.Error("the fault is not told")
	}
	put(t, l, 3) // told already
	if err := os.RemoveAll(path + ".1"); err != nil {
		t.Fatal(err)
	}
	if all := expect(t, path, "1 2 3"); all[2].Missed != 0 {
		t.Errorf("%d are said to be missing", all[2].Missed)
	}
	put(t, l, 4)
	expect(t, path, "1 2 3 4")
}

// A log that somebody else has locked, or a disk that is stuck, holds nobody
// up for long; when it is free again, what was handed over is there, and the
// rest is counted.
func TestStuck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	l := New(Options{Path: path, Wait: 10 * time.Millisecond})
	for n, want := range []string{"not yet written after 10ms", "", ""} {
		if err := l.Append(numberedRecord(n)); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d: %v, want %q", n, err, want)
		}
	}
	if err := l.Close(); err == nil || !strings.Contains(err.Error(), "still being written") {
		t.Errorf("Close: %v", err)
	}
	f.Close()
	<-l.ended
	expect(t, path, "0")

	again := open(t, Options{Path: path})
	again.missed.Store(2)
	put(t, again, 3)
	if all := expect(t, path, "0 3"); all[1].Missed != 2 {
		t.Errorf("missed %d", all[1].Missed)
	}
}

// The file that has the name is the one that is written to.
func TestMovedAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "log")
	l := open(t, Options{Path: path})
	put(t, l, 1)
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	put(t, l, 2)
	expect(t, path, "2")
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	put(t, l, 3)
	expect(t, path, "3")
}

func BenchmarkAppend(b *testing.B) {
	l := open(b, Options{Path: filepath.Join(b.TempDir(), "log")})
	r := sample()
	for b.Loop() {
		if err := l.Append(r); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirst is what a command pays that writes one record and ends.
func BenchmarkFirst(b *testing.B) {
	path := filepath.Join(b.TempDir(), "log")
	r := sample()
	for b.Loop() {
		l := New(Options{Path: path})
		if err := errors.Join(l.Append(r), l.Close()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLine(b *testing.B) {
	r := sample().clean(redactor(b))
	for b.Loop() {
		r.line()
	}
}

func BenchmarkClean(b *testing.B) {
	for name, text := range map[string]string{
		"plain":  "cd x && go test ./... 2>&1 | tail -20",
		"secret": "cd x && GITHUB_TOKEN=abc curl -H 'Authorization: Bearer x' https://h",
		"long":   "GITHUB_TOKEN=abc curl -H 'Authorization: Bearer x' https://h " + strings.Repeat("lorem ipsum -t ", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			hide := redactor(b)
			for b.Loop() {
				hide.Clean(text, 1024)
			}
		})
	}
}
