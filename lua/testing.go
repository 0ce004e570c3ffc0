package lua

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

// testLimit is the time that one test has, with all that it dispatches.
const testLimit = time.Minute

// TestWorld is where one test plays; nothing of another test is in it.
type TestWorld struct {
	// Dispatch decides about an event. What a test gave to dispatch comes as a
	// JSON object on one line, and so does the decision.
	Dispatch func(ctx context.Context, event []byte) (decision []byte, err error)
	// Kept returns the JSON that a policy keeps under a name, or nil.
	Kept func(name string) []byte
}

// TestResult is the outcome of one test.
type TestResult struct {
	Name   string
	Line   int
	Failed string // what was expected and is not so, with its line; "" if all is
	Broken error  // what kept the test from coming to its end, or nil
	Log    string // what it wrote with log.*
}

// Test runs a file of tests: a script that calls test(name, function). Each
// test has a machine of its own, in which the file is run again, and its own
// limits. begin is called before each and returns its world; tell gets the
// outcome. The error says that the file cannot be run at all.
func (r *Runtime) Test(ctx context.Context, path string, begin func() (TestWorld, error), tell func(TestResult)) error {
	text, err := r.opts.Read(path)
	if err != nil {
		return plain(err)
	}
	u := &unit{name: shown(r.opts.Root, path), path: path, dir: filepath.Dir(path)}
	if u.proto, err = compile(string(text), u.name); err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	first := &testRun{lines: lines}
	if err := first.load(ctx, r, u); err != nil {
		return err
	}
	if len(first.tests) == 0 {
		return fmt.Errorf("no tests (call test(name, function() … end))")
	}
	for i, t := range first.tests {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		res := TestResult{Name: t.name, Line: t.line}
		run := &testRun{lines: lines}
		if run.world, res.Broken = begin(); res.Broken == nil {
			res.Broken = run.test(ctx, r, u, i)
			res.Failed, res.Log = run.failed, run.log
		}
		tell(res)
	}
	return nil
}

// testRun is one run of a test file, in a state of its own.
type testRun struct {
	lines  []string // of the file
	world  TestWorld
	s      *state
	in     *instance
	tests  []luaTest
	failed string // the first thing that was expected and was not so
	log    string
}

// luaTest is one call of test.
type luaTest struct {
	name string
	line int
	fn   *glua.LFunction
}

// errExpected ends a test that failed.
var errExpected = errors.New("not as expected")

// testGroup are the functions that test files have beside those of policies.
func (t *testRun) testGroup() group {
	return group{functions: []function{
		{"test", "(name: string, body: fun())", "a test; each runs with empty state", t.register},
		{"dispatch", "(event: table): table", "sends an event and returns the decision", t.dispatch},
		{"expect", "(value: any, message?: string): any", "fails the test unless value is true", t.expect},
		{"assert", "(value: any, message?: string): any", "is expect", t.expect},
		{"kept", "(name: string): any", "what policies keep by state.set under a name", t.kept},
	}}
}

// load runs the top level of u.
func (t *testRun) load(ctx context.Context, r *Runtime, u *unit) error {
	ctx, cancel := context.WithTimeout(ctx, loadLimit)
	defer cancel()
	s := r.newState("")
	s.trial = true
	t.s, t.in = s, &instance{unit: u, env: s.environment(), modules: map[string]glua.LValue{}}
	s.fill(t.in.env, t.testGroup(), nil)
	s.begin(ctx, loadLimit)
	defer s.end()
	s.current, s.loading = t.in, true
	_, err := s.call(s.pushChunk(u.proto, t.in.env), u)
	s.loading = false
	return err
}

// test runs the i-th test of u.
func (t *testRun) test(ctx context.Context, r *Runtime, u *unit, i int) error {
	if err := t.load(ctx, r, u); err != nil {
		return err
	}
	if i >= len(t.tests) {
		return fmt.Errorf("what tests a file has must not depend on anything")
	}
	ctx, cancel := context.WithTimeout(ctx, testLimit)
	defer cancel()
	s := t.s
	s.begin(ctx, testLimit)
	defer s.end()
	s.current = t.in
	s.L.Push(t.tests[i].fn)
	_, err := s.call(0, u)
	t.log = string(s.log)
	if t.failed != "" {
		return nil // whatever the test went on to do
	}
	return err
}

// register is test(name, body).
func (t *testRun) register(L *glua.LState) int {
	name, fn := L.CheckString(1), L.CheckFunction(2)
	if !t.s.loading {
		L.RaiseError("test: only at the top level of the file")
	}
	if len(t.tests) == maxHandlers {
		L.RaiseError("test: more than %d tests in a file", maxHandlers)
	}
	_, line, _ := place(L.Where(1))
	t.tests = append(t.tests, luaTest{clip(name, 200), line, fn})
	return 0
}

// playing raises an error outside a test.
func (t *testRun) playing(L *glua.LState, doing string) *state {
	if t.s.loading {
		L.RaiseError("%s: only inside a test", doing)
	}
	return t.s
}

// dispatch is dispatch(event).
func (t *testRun) dispatch(L *glua.LState) int {
	s := t.playing(L, "dispatch")
	event := s.object(L, L.CheckTable(1), "dispatch")
	decision, err := t.world.Dispatch(s.Context, event.Raw())
	if err != nil {
		L.RaiseError("dispatch: %s", err.Error())
	}
	L.Push(s.decode(L, decision, "dispatch"))
	return 1
}

// expect is expect(value, message): it fails the test, also inside a pcall.
func (t *testRun) expect(L *glua.LState) int {
	t.playing(L, "expect")
	if glua.LVAsBool(L.Get(1)) {
		return L.GetTop()
	}
	_, line, _ := place(L.Where(1))
	message := L.OptString(2, "")
	if message == "" && line > 0 && line <= len(t.lines) {
		message = "not so: " + strings.TrimSpace(t.lines[line-1])
	}
	if message == "" {
		message = errExpected.Error()
	} else if line > 0 {
		message = fmt.Sprintf("line %d: %s", line, clip(message, 400))
	}
	if t.failed == "" {
		t.failed = message
	}
	L.RaiseError("%s", errExpected.Error())
	return 0
}

// kept is kept(name).
func (t *testRun) kept(L *glua.LState) int {
	s, name := t.playing(L, "kept"), L.CheckString(1)
	if raw := t.world.Kept(name); raw != nil {
		L.Push(s.decode(L, raw, "kept"))
	} else {
		L.Push(glua.LNil)
	}
	return 1
}

// Stored reads an update of a hook.State: the name under which a policy keeps
// a value by state.*, and the JSON of the value, nil if it was deleted. The
// name is "" if the update is none of a policy.
func Stored(key hook.StateKey, value []byte) (name string, json []byte) {
	i := strings.LastIndexByte(key.Name, 0)
	if key.Kind != TypeName || i < 0 {
		return "", nil
	}
	if _, after, ok := strings.Cut(string(value), ":"); ok {
		json = []byte(after)
	}
	return key.Name[i+1:], json
}
