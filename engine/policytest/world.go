package policytest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/dialect"
)

// policy is what a test file tests.
type policy struct {
	path string // a settings file, or the root of a workspace
	root string
}

// findPolicy returns the policy that a test file names, or that of the
// nearest directory at or above it which has one.
func findPolicy(file, named string) (policy, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return policy{}, err
	}
	dir := filepath.Dir(abs)
	if named != "" {
		if !filepath.IsAbs(named) {
			named = filepath.Join(dir, named)
		}
		info, err := os.Stat(named)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return policy{}, fmt.Errorf("policy: there is no %s", named)
		case err != nil:
			return policy{}, err
		case info.IsDir():
			return policy{named, named}, nil
		}
		return policy{named, filepath.Dir(named)}, nil
	}
	for up := dir; ; up = filepath.Dir(up) {
		for _, name := range []string{"pawl.yaml", ".pawl", "echo-agent.yaml"} {
			if _, err := os.Lstat(filepath.Join(up, name)); err == nil && filepath.Base(up) != ".pawl" {
				return policy{up, up}, nil
			}
		}
		if up == filepath.Dir(up) {
			return policy{}, fmt.Errorf("there is no policy to test: no pawl.yaml at or above %s (write policy: path at the top of the file)", dir)
		}
	}
}

// world is where one case plays.
type world struct {
	policy  policy
	engine  *engine.Engine
	state   *state
	session string
	cover   *coverage
}

// open makes a world. A policy with errors makes none.
func (r *runner) open(ctx context.Context, p policy) (*world, error) {
	r.worlds++
	name := strconv.Itoa(r.worlds)
	managed := r.opts.Managed
	if managed == "" {
		managed = filepath.Join(r.temp, "managed")
	}
	w := &world{policy: p, state: newState(), session: "test-" + name, cover: r.coverage}
	eng, err := engine.Open(ctx, p.path, append(slices.Clip(r.opts.Engine),
		engine.WithHome(r.opts.Home), engine.WithManaged(managed), engine.WithScratch(filepath.Join(r.temp, name)),
		engine.WithState(w.state), engine.WithTrust(func(string) bool { return true }), engine.WithTrace(),
		engine.WithLuaLines(r.coverage.line))...)
	if err != nil {
		if load, broken := errors.AsType[*engine.LoadError](err); broken {
			err = fmt.Errorf("the policy is broken:\n%w", load)
		}
		return nil, err
	}
	w.engine = eng
	r.coverage.know(eng)
	return w, nil
}

// close ends background hooks, which have a moment to end by themselves.
func (w *world) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	w.engine.Close(ctx) // the error only says that some were stopped
}

// deadline is what "pawl hook" gives one event.
const deadline = 50 * time.Second

// play sends one event, given as the bytes of a message, the way that
// "pawl hook" sends it.
func (w *world) play(ctx context.Context, message []byte) (Turn, error) {
	t := Turn{Root: w.policy.root}
	object, err := answer.Parse(message)
	if err != nil {
		return t, fmt.Errorf("not an event: %w", err)
	}
	native, _ := dialect.Named("pawl")
	ev, notes, err := native.Decode(object)
	if err != nil {
		return t, fmt.Errorf("not an event: %w", err)
	}
	if len(notes) > 0 {
		return t, fmt.Errorf("not an event as it should be: %w", notes[0])
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	t.Event, t.Decision = ev, w.engine.Dispatch(ctx, ev)
	t.Reply = native.Encode(ev, t.Decision).Stdout
	w.cover.reach(t.Decision)
	return t, nil
}
