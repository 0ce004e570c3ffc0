//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package audit

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// TestMain is also the program of the other processes: it appends to the log
// PAWL_APPEND_TO PAWL_APPEND records, and prints the number of each that is
// written. PAWL_APPEND_SIZE is the size of files, PAWL_APPEND_LIMIT the most
// bytes that the system lets it write to one.
func TestMain(m *testing.M) {
	path := os.Getenv("PAWL_APPEND_TO")
	if path == "" {
		goleak.VerifyTestMain(m)
		return
	}
	number := func(name string) int { n, _ := strconv.Atoi(os.Getenv(name)); return n }
	if most := number("PAWL_APPEND_LIMIT"); most > 0 {
		var limit syscall.Rlimit
		setTo(&limit.Cur, most)
		setTo(&limit.Max, most)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	l := New(Options{Path: path, MaxSize: int64(number("PAWL_APPEND_SIZE")), Keep: maxKept, Wait: ample})
	for n := range number("PAWL_APPEND") {
		r := numberedRecord(n)
		r.Session = fmt.Sprint(os.Getpid())
		if err := l.Append(r); err != nil {
			fmt.Println("fault:", err)
			continue
		}
		fmt.Println(n)
	}
	l.Close()
	os.Exit(0)
}

// setTo is for a type that differs between systems.
func setTo[T int64 | uint64](p *T, n int) { *p = T(n) }

// appending starts a process that appends.
func appending(t *testing.T, path string, times int, env ...string) (*exec.Cmd, io.Reader) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), "GORACE=atexit_sleep_ms=0", "PAWL_APPEND_TO="+path, fmt.Sprint("PAWL_APPEND=", times)), env...)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, out
}

// Several processes append while the files are rotated, and one reads: no
// record is lost or doubled, each process's are in order, and the reader that
// follows sees them all.
func TestProcesses(t *testing.T) {
	const processes, times = 4, 150
	path := filepath.Join(t.TempDir(), "log")
	var all []*exec.Cmd
	var outs []io.Reader
	for range processes {
		c, out := appending(t, path, times, "PAWL_APPEND_SIZE=3000")
		all, outs = append(all, c), append(outs, out)
	}
	followed := make(chan map[string]int)
	go func() { followed <- follow(path, processes*times) }()
	for i, c := range all {
		text, _ := io.ReadAll(outs[i])
		if err := c.Wait(); err != nil || strings.Contains(string(text), "fault") {
			t.Fatalf("%v: %s", err, text)
		}
	}
	next := map[string]int{}
	records, damaged := read(t, path)
	for _, r := range records {
		if r.Subject != fmt.Sprint(next[r.Session]) {
			t.Fatalf("process %s: record %s where %d is due", r.Session, r.Subject, next[r.Session])
		}
		next[r.Session]++
	}
	if len(records) != processes*times || len(next) != processes || damaged != 0 {
		t.Errorf("%d records of %d processes, %d damaged lines", len(records), len(next), damaged)
	}
	if _, err := os.Stat(path + ".5"); err != nil {
		t.Errorf("it has hardly been rotated: %v", err)
	}
	if seen := <-followed; fmt.Sprint(seen) != fmt.Sprint(next) {
		t.Errorf("who follows has seen %v, written were %v", seen, next)
	}
}

// follow reads the log until it has seen most records in their order, and
// returns how many of each process.
func follow(path string, most int) map[string]int {
	seen := map[string]int{}
	var r *Reader
	for r == nil {
		r, _ = Open(path, true)
	}
	defer r.Close()
	for n := 0; n < most; {
		line, err := r.Next()
		if err == io.EOF {
			err = r.More()
			if err == nil {
				continue
			}
		}
		if err != nil || line.Subject != fmt.Sprint(seen[line.Session]) {
			seen[fmt.Sprintf("%s: %s in place of %d, %v", line.Session, line.Subject, seen[line.Session], err)]++
			return seen
		}
		seen[line.Session]++
		n++
	}
	return seen
}

// A process that is killed at any point costs no record that it has reported.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	reported := map[string]int{}
	for round := range 12 {
		c, out := appending(t, path, 1<<20, "PAWL_APPEND_SIZE=20000")
		lines := bufio.NewScanner(out)
		for range 2 + 5*round {
			if !lines.Scan() {
				t.Fatal("it ended by itself")
			}
		}
		c.Process.Kill()
		last := lines.Text()
		for lines.Scan() {
			last = lines.Text()
		}
		c.Wait()
		if _, err := fmt.Sscan(last, new(int)); err != nil {
			t.Fatalf("it printed %q", last)
		}
		reported[fmt.Sprint(c.Process.Pid)], _ = strconv.Atoi(last)
	}
	written := map[string]int{}
	records, _ := read(t, path)
	for _, r := range records {
		if r.Subject != fmt.Sprint(written[r.Session]) {
			t.Fatalf("process %s: record %s where %d is due", r.Session, r.Subject, written[r.Session])
		}
		written[r.Session]++
	}
	for process, last := range reported {
		if n := written[process] - 1; n != last && n != last+1 { // it may have died before it printed
			t.Errorf("process %s: record %d is the last, %d was reported", process, n, last)
		}
	}
}

// On a full disk a line is torn. It is told once; the next writer begins a
// line of its own.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	c, out := appending(t, path, 20, "PAWL_APPEND_LIMIT=1000")
	text, _ := io.ReadAll(out)
	if err := c.Wait(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if n := strings.Count(string(text), "fault: audit: write "+path+": file too large"); n != 1 {
		t.Errorf("the fault is told %d times: %s", n, text)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 1000 {
		t.Fatalf("%v, %v: no line is torn", info, err)
	}
	before, damaged := read(t, path)
	if len(before) == 0 || damaged != 1 {
		t.Fatalf("%d records, %d damaged", len(before), damaged)
	}
	put(t, open(t, Options{Path: path}), 99)
	after, damaged := read(t, path)
	if len(after) != len(before)+1 || after[len(before)].Subject != "99" || damaged != 1 {
		t.Errorf("%s, %d damaged", subjectsOf(after), damaged)
	}
}
