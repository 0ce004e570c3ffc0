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
// it gets. Its first line says what error it must give.
func TestHostile(t *testing.T) {
	files, err := filepath.Glob("testdata/lua/hostile/*.lua")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d scripts found, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(data), "\n")
			want, ok := strings.CutPrefix(first, "-- want: ")
			if !ok {
				t.Fatal("the first line is not: -- want: regexp")
			}
			out := runChild(t, file)
			if !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("got\n%s\nwant %s", out, want)
			}
		})
	}
}

func runChild(t *testing.T, file string) string {
	ctx, cancel := context.WithTimeout(t.Context(), hostileTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	if runtime.GOOS == "linux" && !raceDetector { // which maps terabytes
		cmd = exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf("ulimit -v %d; exec \"$0\"", hostileMemory), os.Args[0])
	}
	cmd.Env = append(os.Environ(), hostileFile+"="+file)
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

// runHostile is the child: it loads the script and gives it an event in two
// sessions; what it prints is the error, and what became of the second one.
func runHostile() int {
	path, err := filepath.Abs(os.Getenv(hostileFile))
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
			return 0
		}
	}
	a, _ := r.Type().New(specs[0], hook.Deps{})
	ev := hook.Event{Name: hook.PreToolUse, Session: "victim", Tool: "Bash"}
	start := time.Now()
	res, err := a.Run(context.Background(), call(ev))
	if took := time.Since(start); took > 4*callLimit && !raceDetector {
		fmt.Println("too slow:", took)
		return 0
	}
	fmt.Println("run:", err, res.Verdict)
	next := inline(&testing.T{}, r, "return ask('still here')")
	if res, err := next.Run(context.Background(), call(ev)); err != nil || res.Verdict != hook.Ask {
		fmt.Println("the next event:", err)
	}
	return 0
}
