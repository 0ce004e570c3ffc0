package lua

import (
	"context"
	"errors"
	"fmt"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	maxString  = 8 << 20  // bytes of one string
	maxMemory  = 64 << 20 // bytes that one call may allocate, and all calls together before the state is dropped
	maxSteps   = 20e6     // steps of pattern matching in one call
	maxCalls   = 200      // nested calls
	registers  = 256      // slots of the machine's stack at first
	maxSlots   = 16 << 10
	maxValues  = 4000 // that byte and unpack return
	checkEvery = 1 << 10
)

// state is the Lua machine of one session. It is the context of its own
// machine: Done is what stops a script, between any two instructions.
type state struct {
	runtime *Runtime
	session string
	sem     chan struct{} // holds a token while a call is on
	L       *glua.LState

	context.Context                 // of the current call
	done            <-chan struct{} // closed when the call must stop
	stopped         error           // why it must
	cause           hook.Cause
	limit           time.Duration
	memory, total   int
	steps           int
	finished        bool // the call came back, without a panic of ours
	dirty           bool // not to be used again

	library   *glua.LTable // what every policy's globals fall back to
	modules   map[string]func() group
	grown     []glua.LValue // what every chunk is called with
	instances map[*unit]*instance
	current   *instance  // whose code runs
	trial     bool       // the run of Load, outside any session
	loading   bool       // the top level of current runs
	event     *event     // that is handled
	point     point      // at which a callback is called
	absent    absent     // that was looked up last
	made      []*verdict // in this call
	log       []byte
	metas     metatables
	null      *glua.LUserData
	empty     map[*glua.LTable]bool // tables that were empty arrays in JSON
	large     map[string]bool       // digits of numbers that Lua cannot hold
	interned  map[string]glua.LValue
	regexes   map[string]regex
}

// instance is a unit that was run in a state.
type instance struct {
	unit    *unit
	env     *glua.LTable
	modules map[string]glua.LValue

	registered []registration
}

// registration is one function that a unit registered.
type registration struct {
	spec  hook.Spec
	point point // of a callback
	fn    *glua.LFunction
}

func (r *Runtime) newState(session string) *state {
	s := &state{runtime: r, session: session, sem: make(chan struct{}, 1), Context: context.Background(),
		instances: map[*unit]*instance{}, interned: map[string]glua.LValue{}}
	s.L = glua.NewState(glua.Options{SkipOpenLibs: true, CallStackSize: maxCalls, RegistrySize: registers,
		RegistryMaxSize: maxSlots, RegistryGrowStep: 1024})
	s.L.SetContext(s)
	s.open()
	return s
}

// of is the state that L belongs to.
func of(L *glua.LState) *state { return L.Context().(*state) }

// Done is closed when the script must stop.
func (s *state) Done() <-chan struct{} { return s.done }

// Err says why the script must stop, or is nil.
func (s *state) Err() error {
	if s.stopped == nil && s.Context.Err() != nil {
		s.cause = hook.CauseTimeout
		s.stopped = fmt.Errorf("stopped after %s", shownDuration(s.limit))
		if errors.Is(context.Cause(s.Context), context.Canceled) {
			s.cause, s.stopped = hook.CauseCanceled, errors.New("stopped: the host gave up")
		}
	}
	return s.stopped
}

func shownDuration(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return d.String()
}

// begin starts a call that ends with ctx, at the latest after limit.
func (s *state) begin(ctx context.Context, limit time.Duration) {
	s.Context, s.done, s.limit = ctx, ctx.Done(), limit
	s.stopped, s.cause, s.finished = nil, hook.CauseError, false
	s.memory, s.steps, s.absent = 0, 0, absent{}
	s.log = nil
	clear(s.made)
	s.made = s.made[:0]
}

// end forgets the call, and tells whether the state may be used again.
func (s *state) end() bool {
	s.total += s.memory
	s.Context, s.done = context.Background(), nil
	s.event, s.current, s.point = nil, nil, point{}
	s.empty, s.large = nil, nil
	return s.finished && !s.dirty && s.stopped == nil && s.total < maxMemory
}

// closed is a channel that is ready: a limit was hit.
func closed() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// stop ends the call with an error that no pcall can hold: the machine
// raises it again at the next instruction.
func (s *state) stop(L *glua.LState, format string, args ...any) {
	if s.Err() == nil {
		s.stopped, s.cause = fmt.Errorf(format, args...), hook.CauseError
		s.done = closed()
	}
	L.RaiseError("%s", s.stopped.Error())
}

// check raises what has stopped the call; doing says in what.
func (s *state) check(L *glua.LState, doing string) {
	select {
	case <-s.done:
		if s.Err() == nil {
			return
		}
		L.RaiseError("%s in %s", s.stopped.Error(), doing)
	default:
	}
}

// step counts work that the machine does not see.
func (s *state) step(L *glua.LState, n int, doing string) {
	before := s.steps
	s.steps += n
	if before/checkEvery != s.steps/checkEvery {
		s.check(L, doing)
	}
	if s.steps > maxSteps {
		s.stop(L, "stopped after %d steps in %s", int(maxSteps), doing)
	}
}

// charge counts n bytes that the script holds on to, or may.
func (s *state) charge(L *glua.LState, n int) {
	s.memory += n
	if s.memory > maxMemory || n < 0 {
		s.stop(L, "stopped after %d MiB of memory", maxMemory>>20)
	}
}

// text charges a new string and returns it.
func (s *state) text(L *glua.LState, str string, doing string) glua.LValue {
	s.size(L, len(str), doing)
	return glua.LString(str)
}

// size charges a string of n bytes that is about to be made.
func (s *state) size(L *glua.LState, n int, doing string) {
	if n > maxString {
		s.stop(L, "stopped at a string of %d bytes in %s, the limit is %d", n, doing, maxString)
	}
	s.charge(L, n+32)
}

// intern returns str as a value, without an allocation where it is one of
// the words that come with every event.
func (s *state) intern(str string) glua.LValue {
	if v, ok := s.interned[str]; ok {
		return v
	}
	if len(s.interned) >= 128 || len(str) > 256 {
		return glua.LString(str)
	}
	v := glua.LValue(glua.LString(str))
	s.interned[str] = v
	return v
}
