//go:build linux

package process_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/process"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shell is text under bash; every process of it carries the mark of t.
func shell(t *testing.T, text string) process.Command {
	t.Helper()
	return process.Command{
		Argv: []string{"bash", "--noprofile", "--norc", "-c", text},
		Dir:  t.TempDir(),
		Env:  process.Environ(os.Environ(), map[string]string{"PAWL_MARK": mark(t)}),
	}
}

func mark(t *testing.T) string { return fmt.Sprintf("%s/%d", t.Name(), os.Getpid()) }

// noneLeft waits until no process carries the mark of t: a killed one needs
// a moment to go.
func noneLeft(t *testing.T) {
	t.Helper()
	deadline := time.After(2 * time.Second)
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		left := marked(mark(t))
		if len(left) == 0 {
			tick.Stop()
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("processes are left: %v", left)
		}
	}
}

func marked(mark string) (pids []int) {
	procs, _ := os.ReadDir("/proc")
	for _, p := range procs {
		env, err := os.ReadFile("/proc/" + p.Name() + "/environ")
		if pid, _ := strconv.Atoi(p.Name()); err == nil && pid > 0 && bytes.Contains(env, []byte("PAWL_MARK="+mark+"\x00")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func TestRun(t *testing.T) {
	big := bytes.Repeat([]byte("x"), 4<<20)
	tests := []struct {
		name, text, stdout, stderr string
		stdin                      []byte
		code                       int
		signal                     string
	}{
		{name: "streams and code", text: "echo out; echo err >&2; exit 3", stdout: "out\n", stderr: "err\n", code: 3},
		{name: "stdin", text: "cat", stdin: []byte("in"), stdout: "in"},
		{name: "no stdin", text: "cat"},
		{name: "all of a big stdin", text: "wc -c", stdin: big, stdout: "4194304\n"},
		{name: "B090 unread", text: "exit 0", stdin: big},
		{name: "B090 unread, exit 2", text: "exit 2", stdin: big, code: 2},
		{name: "B090 stdin closed", text: "exec 0<&-; sleep .2; exit 2", stdin: big, code: 2},
		{name: "B090 a byte read", text: "head -c1 >/dev/null; exit 0", stdin: big},
		{name: "B094 bash", text: `X=a; cat <<< "$X"; diff <(echo a) <(echo a)`, stdout: "a\n"},
		{name: "B104 heredoc without a newline", text: "cat <<'EOF'\nhi\nEOF", stdout: "hi\n"},
		{name: "B105 no terminal", text: `(echo x > /dev/tty) 2>/dev/null || read -ra s </proc/self/stat; [ ${s[5]} = ${s[0]} ] && echo ${s[6]}`, stdout: "0\n"},
		{name: "B106 exit 2 is 2", text: "exit 2", code: 2},
		{name: "signal", text: "kill -9 $$", code: -1, signal: "killed"},
		{name: "a signal of a child is a code", text: "bash -c 'kill -9 $$'; exit $?", code: 137},
		{name: "end of a pipeline that the shell does not wait for", text: `exec > >(sleep .03; sed s/a/b/); echo a`, stdout: "b\n"},
		{name: "B099 late bytes", text: `{ sleep 2; echo late; echo err >&2; } & echo '{}'; exit 0`, stdout: "{}\n"},
		{name: "B099 a child of another session", text: `setsid -f sleep 20; echo '{}'`, stdout: "{}\n"},
		{name: "another session, with its own output", text: `setsid sleep 20 </dev/null >/dev/null 2>&1 & echo '{}'`, stdout: "{}\n"},
		{name: "another session that starts others", text: `setsid bash -c 'for i in 1 2 3; do setsid sleep 20 & done; wait' >/dev/null 2>&1 & sleep .1`},
		{name: "a group of its own", text: `set -m; sleep 20 >/dev/null 2>&1 & echo '{}'`, stdout: "{}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := shell(t, tt.text)
			c.Stdin = tt.stdin
			began := time.Now()
			out, err := process.Run(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("took %v", took)
			}
			if tt.stderr == "" && tt.signal != "" {
				out.Stderr = nil // bash may report the signal
			}
			if string(out.Stdout) != tt.stdout || string(out.Stderr) != tt.stderr && tt.code != 137 {
				t.Errorf("stdout %q, stderr %q", out.Stdout, out.Stderr)
			}
			if out.Code != tt.code || out.Signal != tt.signal {
				t.Errorf("code %d, signal %q", out.Code, out.Signal)
			}
			if out.Left {
				t.Error("something is said to be left")
			}
			noneLeft(t)
		})
	}
}

// B086: the deadline is for all that the command started.
func TestDeadline(t *testing.T) {
	for _, text := range []string{
		"sleep 30; true", "sleep 30 | cat", "(sleep 30)", "sleep 30 & wait",
		"trap '' TERM INT; sleep 30; true", "kill -STOP $$", "while :; do sleep .01 & done",
		"setsid sleep 30 & wait", "setsid -f setsid -f sleep 30; sleep 30", "while :; do setsid -f sleep .05; done",
	} {
		t.Run(text, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			c := shell(t, "echo so far; "+text)
			c.Stdin = bytes.Repeat([]byte("x"), 1<<20)
			began := time.Now()
			out, err := process.Run(ctx, c)
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("took %v", took)
			}
			wantCause(t, err, hook.CauseTimeout)
			if !errors.Is(err, context.DeadlineExceeded) || out.Code != -1 || string(out.Stdout) != "so far\n" {
				t.Errorf("%v, %+v", err, out)
			}
			noneLeft(t)
		})
	}
}

func TestCanceled(t *testing.T) {
	gone := errors.New("the host gave up")
	ctx, cancel := context.WithCancelCause(t.Context())
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	go func() { // ends the run once it has begun
		r.Read(make([]byte, 1))
		cancel(gone)
	}()
	_, err = process.Run(ctx, shell(t, fmt.Sprintf("echo > /proc/%d/fd/%d; sleep 30", os.Getpid(), w.Fd())))
	wantCause(t, err, hook.CauseCanceled)
	if !errors.Is(err, gone) {
		t.Errorf("the cause is lost: %v", err)
	}
	noneLeft(t)
	if _, err = process.Run(ctx, shell(t, "touch started")); !errors.Is(err, gone) {
		t.Errorf("started after the end: %v", err)
	}
}

// B107: what is beyond the cap is read and dropped.
func TestCap(t *testing.T) {
	const printed = 300 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, err := process.Run(t.Context(), shell(t, fmt.Sprintf("yes | head -c %d; echo err >&2", printed)))
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Stdout) != process.DefaultMaxOutput || !out.StdoutTruncated || out.StderrTruncated {
		t.Errorf("kept %d, truncated %v %v", len(out.Stdout), out.StdoutTruncated, out.StderrTruncated)
	}
	if want := int64(printed - process.DefaultMaxOutput); out.Dropped != want {
		t.Errorf("dropped %d, want %d", out.Dropped, want)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 8*process.DefaultMaxOutput {
		t.Errorf("%d bytes were allocated", got)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	c := shell(t, "yes >&2")
	c.MaxOutput = 10
	out, err = process.Run(ctx, c)
	wantCause(t, err, hook.CauseTimeout)
	if string(out.Stderr) != "y\ny\ny\ny\ny\n" || !out.StderrTruncated {
		t.Errorf("%q, %v", out.Stderr, out.StderrTruncated)
	}
	noneLeft(t)
}

func TestSpawn(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct {
		name string
		c    process.Command
		want string
	}{
		{"nothing", process.Command{}, "no program to run"},
		{"not on PATH", process.Command{Argv: []string{"no-such-program"}}, `"no-such-program": executable file not found in $PATH`},
		{"not on its PATH", process.Command{Argv: []string{"bash"}, Env: []string{"PATH=" + dir}}, `"bash": executable file not found in $PATH`},
		{"PATH of the place", process.Command{Argv: []string{"lost"}, Env: []string{"PATH=:."}, Dir: dir}, `"lost": executable file not found in $PATH`},
		{"no file", process.Command{Argv: []string{dir + "/none"}}, "/none is not there"},
		{"B092 no directory", process.Command{Argv: []string{"bash"}, Dir: dir + "/gone"}, "the working directory " + dir + "/gone is not there"},
		{"no interpreter", process.Command{Argv: []string{write("lost", "#!/no/such/sh\n", 0o700)}}, "the interpreter on its #! line is not"},
		{"not executable", process.Command{Argv: []string{write("plain", "#!/bin/sh\n", 0o600)}}, "may not be executed (chmod +x?)"},
		{"no #! line", process.Command{Argv: []string{write("text", "echo hi\n", 0o700)}}, "a script needs a #! line"},
		{"relative to the directory", process.Command{Argv: []string{"./text"}, Dir: dir}, "a script needs a #! line"},
		{"too large", process.Command{Argv: []string{"bash", "-c", ":"}, Env: []string{"PATH=" + os.Getenv("PATH"), "X=" + strings.Repeat("x", 1<<20)}}, "arguments and environment are too large for this system (1048"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := process.Run(t.Context(), tt.c)
			wantCause(t, err, hook.CauseSpawn)
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// B089: commands that end at about their deadline; the group kill must not
// hit a bystander.
func TestBystander(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	end := make(chan error, 1)
	ready, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer ready.Close()
	defer w.Close()
	bystander := shell(t, fmt.Sprintf("echo > /proc/%d/fd/%d; sleep 60", os.Getpid(), w.Fd()))
	go func() {
		_, err := process.Run(ctx, bystander)
		end <- err
	}()
	ready.Read(make([]byte, 1))
	c := process.Command{Argv: []string{"sleep", "0.005"}}
	for i := range 150 {
		short, stop := context.WithTimeout(ctx, 4*time.Millisecond+time.Duration(i%8)*time.Millisecond)
		out, err := process.Run(short, c)
		stop()
		if n, failed := errors.AsType[*hook.NoVerdict](err); failed && n.Cause != hook.CauseTimeout || !failed && out.Code != 0 {
			t.Fatalf("%v, %+v", err, out)
		}
	}
	select {
	case err := <-end:
		t.Fatalf("the bystander ended: %v", err)
	default:
	}
	cancel()
	wantCause(t, <-end, hook.CauseCanceled)
	noneLeft(t)
}

// Something that is left and cannot be killed is told: here it is the test
// itself that has the child's end of the tether.
func TestLeft(t *testing.T) {
	pids, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pids.Close()
	defer w.Close()
	had := make(chan *os.File, 1)
	go func() {
		b := make([]byte, 20)
		n, _ := pids.Read(b)
		f, err := os.Open(fmt.Sprintf("/proc/%s/fd/10", bytes.TrimSpace(b[:n])))
		if err != nil {
			t.Error(err)
		}
		had <- f
	}()
	out, err := process.Run(t.Context(), shell(t, fmt.Sprintf("exec 3<>/proc/%d/fd/%d; echo $$ >&3; sleep .3; echo so far", os.Getpid(), w.Fd())))
	if f := <-had; f != nil {
		f.Close()
	}
	if err != nil || !out.Left || string(out.Stdout) != "so far\n" {
		t.Errorf("%+v, %v", out, err)
	}
	noneLeft(t)
}

// Files of this process do not leak into children, and no pipe stays open.
func TestDescriptors(t *testing.T) {
	count := func() int {
		list, _ := os.ReadDir("/proc/self/fd")
		return len(list)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "private"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// As one that this process was started with: open for every child.
	inherited, err := syscall.Open(t.TempDir(), syscall.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(inherited)
	before := count()
	for range 5 {
		out, err := process.Run(t.Context(), shell(t, "ls /proc/$$/fd"))
		if got := strings.Join(strings.Fields(string(out.Stdout)), " "); err != nil || got != "0 1 10 2 3" {
			t.Fatalf("the child has %q open, %v", got, err) // 3 is what ls reads, 10 the tether
		}
		process.Run(t.Context(), process.Command{Argv: []string{"/none"}})
	}
	if after := count(); after > before {
		t.Errorf("%d descriptors, %d before", after, before)
	}
}

func wantCause(t *testing.T, err error, cause hook.Cause) {
	t.Helper()
	if n, ok := errors.AsType[*hook.NoVerdict](err); !ok || n.Cause != cause {
		t.Errorf("got %v, want a NoVerdict of cause %s", err, cause)
	}
}
