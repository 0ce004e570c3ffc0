package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/optimizer"
	"github.com/expr-lang/expr/vm"
	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	maxSource = 4 << 10
	maxNodes  = 1_000
	memBudget = 100_000 // elements that one evaluation may make
	evalTime  = 250 * time.Millisecond
	maxString = 64 << 10 // that + may make
	maxRange  = 10_000
)

// Condition is a compiled `when`. It is immutable and may be evaluated by any
// number of goroutines at once.
type Condition struct {
	source  string
	pos     hook.Position
	scope   Scope
	program *vm.Program
	tests   []test
	keys    []Key
	pure    test // all of the condition, which then needs no program
	words   []word
	used    fieldSet
	deep    bool // reads words of commands beyond the first

	// later compiles a condition that has not been yet, which it stands for.
	later func() (*Condition, error)

	// strict is compiled when program first met a missing field or a value
	// of another type: it makes such comparisons false.
	strict   func() (*vm.Program, error)
	machines sync.Pool
}

// word is a compiled pattern of glob(p, s) or regex(p, s).
type word struct {
	match func(string) hook.Tri
	name  string
}

// When compiles a condition. Its patterns take the polarity and the anchors
// of s.
func When(t hook.Text, s Scope) (*Condition, []hook.Diagnostic) {
	n := s.notes(t)
	switch {
	case strings.TrimSpace(t.Value) == "":
		n.add(hook.Error, "an empty condition", `a condition that starts with ! must be quoted in YAML: when: '!bash("rm *")'`)
		return nil, n.list
	case len(t.Value) > maxSource:
		n.add(hook.Error, fmt.Sprintf("a condition of %d bytes; at most %d", len(t.Value), maxSource), "split it, or write it in Lua")
		return nil, n.list
	}
	c := &Condition{source: t.Value, pos: n.pos, scope: s}
	if c.pure, _ = pureTest(n, t.Value); c.pure != nil {
		c.keys = testKeys(c.pure)
		return c, n.list
	}
	low := &lowering{cond: c, notes: n, signs: signs{}}
	program, err := compile(t.Value, low)
	if err != nil {
		low.report(err)
	}
	if n.failed() {
		return nil, n.list
	}
	if low.lint(); n.failed() {
		return nil, n.list
	}
	c.program = program
	c.keys = conditionKeys(*low.root, c.tests)
	c.strict = sync.OnceValues(func() (*vm.Program, error) {
		// The same source gives the same tests in the same order.
		return compile(c.source, &lowering{cond: &Condition{scope: c.scope}, notes: c.scope.notes(t), signs: signs{}}, totalizing{})
	})
	return c, n.list
}

// LazyWhen is When for one event: the condition is compiled when it is first
// asked, and its faults are then the errors of Eval. Until then it has no
// keys, so that an index does not pass over it. One that needs no machine is
// compiled at once.
func LazyWhen(t hook.Text, s Scope) *Condition {
	if len(t.Value) <= maxSource {
		n := s.notes(t)
		if pure, ok := pureTest(n, t.Value); ok && !n.failed() {
			return &Condition{source: t.Value, pos: n.pos, scope: s, pure: pure, keys: testKeys(pure)}
		}
	}
	s.Links = nil // they are for the goroutine that loads
	return &Condition{source: t.Value, keys: anyKey, later: sync.OnceValues(func() (*Condition, error) {
		c, diags := When(t, s)
		for _, d := range diags {
			if d.Severity == hook.Error {
				return nil, &hook.NoVerdict{Cause: hook.CauseConfig, Err: d}
			}
		}
		return c, nil
	})}
}

// Expr returns the source.
func (c *Condition) Expr() string { return c.source }

// Eval evaluates the condition on f. It is Unknown if it asked something
// that the event cannot tell, whatever the rest says. An error is a fault of
// the condition: out of time or memory, or not a boolean.
func (c *Condition) Eval(ctx context.Context, f *hook.Facts) (hook.Match, error) {
	if err := ctx.Err(); err != nil {
		return hook.Match{}, err
	}
	if c.later != nil {
		own, err := c.later()
		if err != nil {
			return hook.Match{}, err
		}
		return own.Eval(ctx, f)
	}
	if c.pure != nil {
		return c.evalPure(f), nil
	}
	m := c.machine()
	defer c.free(m)
	r := &m.run
	*r = run{ctx: ctx, cond: c, facts: f}
	out, err := m.exec(c.program)
	if err != nil && !r.stopped {
		program, failed := c.strict()
		if failed != nil {
			return hook.Match{}, fmt.Errorf("when: %w", failed)
		}
		*r = run{ctx: ctx, cond: c, facts: f, deadline: r.deadline}
		out, err = m.exec(program)
	}
	if err != nil {
		return hook.Match{}, c.explain(err)
	}
	if r.unknown {
		return hook.Match{Tri: hook.Unknown, Why: r.why}, nil
	}
	switch out := out.(type) {
	case bool:
		return hook.Match{Tri: hook.TriOf(out), Why: r.why}, nil
	case nil:
		return hook.Match{Tri: hook.No, Why: "the field is missing"}, nil
	}
	return hook.Match{}, fmt.Errorf("when: expected true or false, got a %s", kind(out))
}

// machine is what one evaluation needs; a condition keeps those it has made.
type machine struct {
	vm  vm.VM
	run run
}

func (c *Condition) machine() *machine {
	if m, ok := c.machines.Get().(*machine); ok {
		return m
	}
	return &machine{vm: vm.VM{MemoryBudget: memBudget}}
}

func (c *Condition) free(m *machine) {
	m.run = run{}
	c.machines.Put(m)
}

// exec runs one program. What panics in it is an error.
func (m *machine) exec(p *vm.Program) (out any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return m.vm.Run(p, makeEnv(&m.run, m.run.cond.used))
}

// explain puts an error of the machine in one line, with its place.
func (c *Condition) explain(err error) error {
	message, offset := faultOf(err)
	pos := placeAt(c.pos, c.source, offset)
	if pos.Line == 0 {
		return fmt.Errorf("when: %s", message)
	}
	return fmt.Errorf("%s: when: %s", pos, message)
}

// run is the record of one evaluation.
type run struct {
	ctx      context.Context
	cond     *Condition
	facts    *hook.Facts
	deadline time.Time
	stopped  bool // by the deadline
	unknown  bool // something was asked that the event cannot tell
	why      string
	views    []commandView
}

var errTime = errors.New("out of time: a condition has 250ms")

// tick is called once for each element that a predicate looks at.
func (r *run) tick() error {
	now := time.Now()
	if r.deadline.IsZero() {
		r.deadline = now.Add(evalTime)
	}
	if now.After(r.deadline) {
		r.stopped = true
		return errTime
	}
	if err := r.ctx.Err(); err != nil {
		r.stopped = true
		return err
	}
	return nil
}

// answer records what a test said and gives it to the machine.
func (r *run) answer(t hook.Tri, why string) bool {
	switch {
	case t == hook.Unknown:
		r.doubt(why)
	case t == hook.Yes && !r.unknown:
		r.why = why
	}
	return t == hook.Yes || t == hook.Unknown && !r.cond.scope.Grant
}

func (r *run) doubt(why string) {
	if !r.unknown {
		r.unknown, r.why = true, why
	}
}

// compile compiles source with its visitors. Panics are errors.
func compile(source string, low *lowering, more ...visitor) (p *vm.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("cannot be compiled: %v", r)
		}
	}()
	config := configs.Get().(*conf.Config)
	defer configs.Put(config)
	config.Visitors = append(append(config.Visitors[:0], low.signs, low), more...)
	tree, err := checker.ParseCheck(source, config)
	if err != nil {
		return nil, err
	}
	if err := optimizer.Optimize(&tree.Node, config); err != nil {
		return nil, err
	}
	return compiler.Compile(tree, config)
}

// configs holds what expr.Compile makes anew for each source: the environment,
// our functions and the builtins that are left. One compilation uses it at a
// time.
var configs = sync.Pool{New: func() any {
	config := conf.CreateNew()
	opts := append([]expr.Option{expr.Env(allFields{}), expr.AsBool(), expr.MaxNodes(maxNodes)}, natives()...)
	for _, opt := range opts {
		opt(config)
	}
	for name := range config.Builtins {
		if !slices.Contains(builtins, name) {
			config.Disabled[name] = true
			delete(config.Builtins, name)
		}
	}
	return config
}}
