package policytest

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/lua"
	"github.com/pawl-dev/pawl/rules"
)

// luaFile runs the tests of one Lua file. A first comment "-- policy: path"
// names the policy, as policy: does in the other form.
func (r *runner) luaFile(ctx context.Context, name string) error {
	data, err := readFile(name)
	if err != nil {
		return err
	}
	p, err := findPolicy(name, namedInLua(string(data)))
	if err != nil {
		return err
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	first, err := r.open(ctx, p) // so that a broken policy is one error
	if err != nil {
		return err
	}
	first.close()
	run := &luaRun{runner: r, policy: p}
	scripts := lua.New(lua.Options{Root: p.root, Home: r.opts.Home, Glob: rules.Glob, Read: func(path string) ([]byte, error) { return readFile(path) }})
	start := time.Now()
	return scripts.Test(ctx, path, func() (lua.TestWorld, error) { return run.begin(ctx) }, func(t lua.TestResult) {
		run.end()
		res := Result{File: name, Line: t.Line, Name: t.Name, Status: Passed, Turns: run.turns, Duration: time.Since(start)}
		switch {
		case t.Broken != nil:
			res.Status, res.Problems = Errored, []string{t.Broken.Error()}
		case t.Failed != "":
			res.Status, res.Problems = Failed, []string{t.Failed}
		}
		if t.Log != "" && res.Status != Passed {
			res.Problems = append(res.Problems, t.Log)
		}
		if ctx.Err() == nil {
			r.tell(res)
		}
		start = time.Now()
	})
}

// namedInLua returns the policy that the comments on top of a file name.
func namedInLua(text string) string {
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "--")
		if !ok {
			return ""
		}
		if path, ok := strings.CutPrefix(strings.TrimSpace(comment), "policy:"); ok {
			return strings.TrimSpace(path)
		}
	}
	return ""
}

// luaRun is the world of the test that runs.
type luaRun struct {
	runner *runner
	policy policy
	world  *world
	turns  []Turn
}

func (l *luaRun) begin(ctx context.Context) (lua.TestWorld, error) {
	l.turns = nil
	var err error
	if l.world, err = l.runner.open(ctx, l.policy); err != nil {
		return lua.TestWorld{}, err
	}
	return lua.TestWorld{Dispatch: l.dispatch, Kept: l.world.state.kept}, nil
}

func (l *luaRun) end() {
	if l.world != nil {
		l.world.close()
		l.world = nil
	}
}

func (l *luaRun) dispatch(ctx context.Context, event []byte) ([]byte, error) {
	o, err := answer.Parse(event)
	if err != nil {
		return nil, err
	}
	t, err := l.turn(ctx, o)
	if err != nil {
		return nil, err
	}
	l.turns = append(l.turns, t)
	return t.Reply, nil
}

// turn plays an event, or {task = {…}} or {subagent = {…}}.
func (l *luaRun) turn(ctx context.Context, o hook.Object) (Turn, error) {
	if list := o.Members(); len(list) == 1 && (list[0].Name == "task" || list[0].Name == "subagent") {
		about, err := answer.Parse(list[0].Raw)
		if err != nil {
			return Turn{}, err
		}
		m, err := newMoment(list[0].Name, about)
		if err != nil {
			return Turn{}, err
		}
		return l.world.happen(ctx, m)
	}
	fields, err := short(o)
	if err != nil {
		return Turn{}, err
	}
	message, err := l.world.message(fields)
	if err != nil {
		return Turn{}, err
	}
	return l.world.play(ctx, message)
}

// short reads an event as dispatch takes it: tool, input and session stand
// for tool_name, tool_input and session_id; where a tool is named and its
// input is not, what no event has is the input: {tool = "Bash", command = "ls"}.
func short(o hook.Object) ([]field, error) {
	names := map[string]string{"tool": "tool_name", "input": "tool_input", "session": "session_id", "mode": "permission_mode", "agent": "agent_type"}
	var fields, input []field
	tool := o.RawOf("tool") != nil && o.RawOf("input") == nil && o.RawOf("tool_input") == nil
	for _, m := range o.Members() {
		f := field{m.Name, raw(m.Raw)}
		if v, ok := o.Get(m.Name); ok && m.Name == "cwd" {
			f.value = v
		}
		if full, ok := names[m.Name]; ok {
			f.name = full
		} else if tool && !ofEvent(m.Name) {
			input = append(input, f)
			continue
		}
		if find(fields, f.name) != nil {
			return nil, errors.New("both " + strconv.Quote(f.name) + " and its short form")
		}
		fields = append(fields, f)
	}
	if tool {
		fields = append(fields, field{"tool_input", input})
	}
	return fields, nil
}

// raw is JSON as it is.
type raw []byte

// ofEvent reports whether name is a member of events, not of inputs.
func ofEvent(name string) bool {
	return slices.Contains([]string{
		"event", "hook_event_name", "session_id", "cwd", "timestamp", "transcript_path", "permission_mode",
		"agent_type", "agent_id", "tool_name", "tool_input", "tool_use_id", "tool_response", "error",
	}, name)
}
