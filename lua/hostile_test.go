package lua

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	hostileFile   = "PAWL_HOSTILE_FILE"
	hostileMemory = 1 << 20 // KiB of address space of a child
	hostileTime   = 20 * time.Second
)

// TestHostile runs each script of testdata/lua/hostile in a process of its
// own, which may neither die, nor answer, nor need more memory or time than
// it gets. Its first line says what error it must give. Under the race
// detector, which takes a second to start, one process runs all.
func TestHostile(t *testing.T) {
	files, err := filepath.Glob("testdata/lua/hostile/*.lua")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d scripts found, %v", len(files), err)
	}
	all := ""
	if raceDetector {
		all = runChild(t, files...)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			out := all
			if !raceDetector {
				out = runChild(t, file)
			}
			_, out, _ = strings.Cut(out, "== "+file+"\n")
			out, _, _ = strings.Cut(out, "== ")
			if strings.Contains(out, "too slow:") || strings.Contains(out, "the next event:") {
				t.Error(out)
			}
			if want := wanted(t, file); !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("got\n%s\nwant %s", out, want)
			}
		})
	}
}

// wanted is the regexp in the first line of a script.
func wanted(t *testing.T, file string) string {
	data, err := os.ReadFile(file)
	first, _, _ := strings.Cut(string(data), "\n")
	want, ok := strings.CutPrefix(first, "-- want: ")
	if err != nil || !ok {
		t.Fatalf("%s: the first line is not: -- want: regexp (%v)", file, err)
	}
	return want
}

func runChild(t *testing.T, files ...string) string {
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(len(files))*hostileTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	if runtime.GOOS == "linux" && !raceDetector { // which maps terabytes
		cmd = exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf("ulimit -v %d; exec \"$0\"", hostileMemory), os.Args[0])
	}
	cmd.Env = append(os.Environ(), hostileFile+"="+strings.Join(files, "\n"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the process died: %v\n%s", err, clip(string(out), 2000))
	}
	return string(out)
}

// generated reads a script. A second line "-- generate: [text, n, …]" stands
// for each text n times; the first line is kept unless the text is bytecode.
func generated(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	first, rest, _ := strings.Cut(string(data), "\n")
	list, ok := strings.CutPrefix(rest, "-- generate: ")
	if err != nil || !ok {
		return data, err
	}
	var parts []any
	if err := json.Unmarshal([]byte(list), &parts); err != nil {
		return nil, err
	}
	text := first + "\n"
	if strings.HasPrefix(parts[0].(string), "\x1b") {
		text = ""
	}
	for i := 0; i < len(parts); i += 2 {
		text += strings.Repeat(parts[i].(string), int(parts[i+1].(float64)))
	}
	return []byte(text), nil
}

// runHostile is the child: it runs the scripts that the environment names.
func runHostile() int {
	for _, file := range strings.Split(os.Getenv(hostileFile), "\n") {
		fmt.Println("== " + file)
		suffer(file)
	}
	return 0
}

// suffer loads a script and gives it an event; it prints the error, and
// whether the session is as good as before. Scripts that must hit another
// limit than time have plenty of it.
func suffer(file string) {
	path, err := filepath.Abs(file)
	if err != nil {
		panic(err)
	}
	opts := options(filepath.Dir(path))
	opts.Read = generated
	r := New(opts)
	specs, diags := r.Load(context.Background(), File{Path: path})
	for _, d := range diags {
		if d.Severity == hook.Error {
			fmt.Println("load:", strings.TrimPrefix(d.Error(), opts.Root+"/"))
			return
		}
	}
	c := call(hook.Event{Name: hook.PreToolUse, Session: "victim", Tool: "Bash"})
	c.Hook = &hook.Spec{Timeout: hostileTime}
	if data, _ := os.ReadFile(file); strings.Contains(string(data), "250 ms") {
		c.Hook = &hook.Spec{}
	}
	a, _ := r.Type().New(specs[0], hook.Deps{})
	start := time.Now()
	res, err := a.Run(context.Background(), c)
	fmt.Println("run:", err, res.Verdict)
	if took := time.Since(start); c.Hook.Timeout == 0 && took > 8*callLimit && !raceDetector {
		fmt.Println("too slow:", took)
	}
	next := inline(&testing.T{}, r, "return ask('still here')")
	c.Hook = &hook.Spec{}
	if res, err := next.Run(context.Background(), c); err != nil || res.Verdict != hook.Ask {
		fmt.Println("the next event:", err)
	}
}
