package resident_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/cmd/internal/hookcmd"
	"github.com/pawl-dev/pawl/cmd/internal/resident"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
	"github.com/pawl-dev/pawl/engine"
)

// TestMain is the hook command too: background hooks are started as that.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "hook" {
		p := &cli.Program{Name: "test", Commands: []cli.Command{hookcmd.Command(hookcmd.Options{})}}
		os.Exit(p.Run(cli.NewConsole(), os.Args[1:]))
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("os/exec.(*Cmd).Wait")) // of background hooks, which end by themselves
}

// fixture is a user with a server of their own.
type fixture struct {
	t    testing.TB
	home string
	dir  string // runtime directory
	log  *journal
	stop func() error
	// ended waits for the end of the server without asking for it.
	ended func() error
}

// journal is a log that can be waited for.
type journal struct {
	mu    sync.Mutex
	text  bytes.Buffer
	wrote chan struct{}
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.text.Write(b)
	select {
	case j.wrote <- struct{}{}:
	default:
	}
	return len(b), nil
}

// await waits until the log has said text n times.
func (j *journal) await(t testing.TB, text string, n int) {
	t.Helper()
	late := time.After(30 * time.Second)
	for {
		j.mu.Lock()
		log := j.text.String()
		j.mu.Unlock()
		if strings.Count(log, text) >= n {
			return
		}
		select {
		case <-j.wrote:
		case <-late:
			t.Fatalf("the log does not say %q %d times:\n%s", text, n, log)
		}
	}
}

// serve starts a server that ends with the test.
func serve(t testing.TB, o resident.Options) *fixture {
	t.Helper()
	f := &fixture{t: t, home: t.TempDir(), log: &journal{wrote: make(chan struct{}, 1)}}
	t.Setenv("HOME", f.home)
	t.Setenv("XDG_STATE_HOME", filepath.Join(f.home, "state")) // of calls by http
	t.Setenv("TZ", "")
	os.Unsetenv("TZ") // as in place
	f.dir = filepath.Join(f.home, "run")
	o.Dir, o.Log = f.dir, slog.New(slog.NewTextHandler(f.log, nil))
	if o.Version == "" {
		o.Version = "test"
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- resident.Run(ctx, o) }()
	told := false
	f.ended = sync.OnceValue(func() error {
		told = true
		return <-ended
	})
	f.stop = func() error {
		cancel()
		return f.ended()
	}
	t.Cleanup(func() {
		if known := told; f.stop() != nil && !known {
			t.Error(f.stop())
		}
	})
	f.log.await(t, "pawld is ready", 1)
	return f
}

// place is where a client of the user stands; state keeps its state apart.
func (f *fixture) place(dir, state string, env ...string) call.Place {
	return call.Place{Dir: dir, Env: append([]string{"HOME=" + f.home, "PATH=" + os.Getenv("PATH"), "XDG_STATE_HOME=" + filepath.Join(f.home, state)}, env...)}
}

func version() string { return "test" }

func (f *fixture) dial() *wire.Client {
	f.t.Helper()
	c, err := wire.Dial(f.dir, version, 5*time.Second)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { c.Close() })
	return c
}

// workspace writes a policy into a new directory.
func (f *fixture) workspace(policy string) string {
	f.t.Helper()
	dir := f.t.TempDir()
	f.write(filepath.Join(dir, "pawl.yaml"), policy)
	return dir
}

func (f *fixture) write(path, text string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func nothing(engine.SideEffects) {}
