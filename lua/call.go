package lua

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	callLimit = 250 * time.Millisecond // where nobody says otherwise
	loadLimit = time.Second
	// queueLimit is how long a call waits for those of its session that came
	// before it. That is not its own time: it would fail because others are slow.
	queueLimit = 5 * time.Second

	maxReturned = 16 // values of one function; a list may have more
)

// run handles one event with h.
func (h *handler) run(ctx context.Context, r *Runtime, c hook.Call) (hook.Result, error) {
	limit := h.spec.Timeout
	if c.Hook != nil && c.Hook.Timeout > 0 {
		limit = c.Hook.Timeout
	}
	if limit == 0 {
		limit = callLimit
	}
	turn := c.Turn
	if turn == nil {
		turn = ctx
	}
	s, err := r.acquire(turn, c.Facts.Event.Session)
	if err != nil {
		return hook.Result{}, h.noVerdict(err)
	}
	defer r.release(s)
	ctx, cancel := within(ctx, limit)
	defer cancel()
	s.begin(ctx, limit)
	res, err := s.handle(h, c)
	s.finished = true
	res.Log = string(s.log)
	if err != nil {
		return res, h.noVerdict(err)
	}
	return res, nil
}

// within ends ctx after limit, unless it ends sooner.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= limit {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, limit)
}

func (h *handler) noVerdict(err error) *hook.NoVerdict {
	n := &hook.NoVerdict{Cause: hook.CauseError, Err: err}
	if f, ok := errors.AsType[*fault](err); ok && f.cause != "" {
		n.Cause = f.cause
	}
	return n
}

// acquire returns the state of a session, held by the caller alone.
func (r *Runtime) acquire(ctx context.Context, session string) (*state, error) {
	for {
		s := r.sessions.get(session, func() *state { return r.newState(session) })
		select {
		case s.sem <- struct{}{}:
		default:
			if err := s.queue(ctx); err != nil {
				return nil, err
			}
		}
		if !s.dirty {
			return s, nil
		}
		<-s.sem
	}
}

// queue waits until the caller alone holds s.
func (s *state) queue(ctx context.Context) error {
	timer := time.NewTimer(queueLimit)
	defer timer.Stop()
	f := &fault{msg: "out of time while another hook of the session ran", cause: hook.CauseTimeout}
	select {
	case s.sem <- struct{}{}:
		return nil
	case <-timer.C:
	case <-ctx.Done():
		if errors.Is(context.Cause(ctx), context.Canceled) {
			f.msg, f.cause = "the host gave up while another hook of the session ran", hook.CauseCanceled
		}
	}
	return f
}

func (r *Runtime) release(s *state) {
	if !s.end() {
		s.dirty = true
		r.sessions.drop(s)
	}
	<-s.sem
}

// handle calls h in s.
func (s *state) handle(h *handler, c hook.Call) (hook.Result, error) {
	in, err := s.instance(h.unit)
	if err != nil {
		return hook.Result{}, err
	}
	e := s.newEvent(c)
	s.event, s.current = e, in
	s.L.Push(in.registered[h.index].fn)
	s.L.Push(&e.LUserData)
	values, err := s.call(1, h)
	if err != nil {
		return hook.Result{}, err
	}
	res, err := s.result(values)
	if c.Hook != nil && c.Hook.Rewake {
		res.Wake = wake(res)
	}
	if err != nil {
		err = &fault{msg: h.where() + ": " + err.Error(), cause: hook.CauseAnswer}
	}
	return res, err
}

// wake is what a handler in the background wakes the agent with: the reason to
// go on, or what a deny would have said.
func wake(r hook.Result) string {
	if r.ContinueReason == "" && r.Verdict == hook.Deny {
		return r.Reason
	}
	return r.ContinueReason
}

// placed is what has a place to name in errors.
type placed interface{ where() string }

// call calls the function on the stack with n arguments.
func (s *state) call(n int, at placed) ([]glua.LValue, error) {
	L := s.L
	err := L.PCall(n, glua.MultRet, nil)
	if err == nil {
		err = s.Err() // a limit that was hit stays hit
	}
	if err != nil {
		f := s.fault(err, at.where())
		L.SetTop(0)
		return nil, f
	}
	top := L.GetTop()
	if top == 0 {
		return nil, nil
	}
	if top > maxReturned {
		L.SetTop(0)
		return nil, &fault{msg: fmt.Sprintf("%s: returned %d values, the limit is %d: return a list", at.where(), top, maxReturned), cause: hook.CauseAnswer}
	}
	values := make([]glua.LValue, top)
	for i := range values {
		values[i] = L.Get(i + 1)
	}
	L.SetTop(0)
	return values, nil
}

// fault makes a readable error of what a call ended with.
func (s *state) fault(err error, where string) *fault {
	f := &fault{msg: err.Error(), cause: hook.CauseError}
	if e, ok := errors.AsType[*glua.ApiError](err); ok {
		f.trace = strings.TrimSpace(e.StackTrace)
		f.msg = s.errorText(e.Object)
		if e.Type == glua.ApiErrorPanic {
			s.dirty, f.cause = true, hook.CausePanic
		}
	}
	if stopped := s.Err(); stopped != nil {
		f.cause = s.cause
		if !strings.Contains(f.msg, stopped.Error()) {
			f.msg = stopped.Error()
		}
	}
	f.name, f.line, f.msg = place(f.msg)
	if strings.HasPrefix(f.msg, "attempt to call a non-function object") || strings.HasPrefix(f.msg, "attempt to index a non-table object(nil)") {
		s.blame(f)
	}
	f.msg = strings.Replace(f.msg, "stack overflow", fmt.Sprintf("stopped at %d nested calls (stack overflow)", maxCalls), 1)
	f.msg = strings.Replace(f.msg, "registry overflow", "stopped at a full stack: too many values at once", 1)
	if f.line == 0 {
		if f.name, f.line, _ = place(where + ": "); f.line == 0 {
			f.name = where
		}
	}
	return f
}

// place splits "file:12: message". Lua error positions have that form.
func place(text string) (name string, line int, rest string) {
	for from := 0; ; {
		i := strings.Index(text[from:], ":")
		if i < 0 || from > 4096 {
			return "", 0, text
		}
		i += from
		number, after, ok := strings.Cut(text[i+1:], ":")
		if n, err := strconv.Atoi(number); ok && err == nil && n > 0 && len(number) < 7 {
			return text[:i], n, strings.TrimPrefix(after, " ")
		}
		from = i + 1
	}
}

// errorText is an error object as text: a table by its __tostring, its
// message, or its fields.
func (s *state) errorText(v glua.LValue) string {
	switch v := v.(type) {
	case glua.LString:
		return clip(string(v), 4<<10)
	case *glua.LNilType, nil:
		return "error(nil)"
	case *glua.LTable:
		if fn, ok := s.L.GetMetaField(v, "__tostring").(*glua.LFunction); ok {
			s.L.Push(fn)
			s.L.Push(v)
			if s.L.PCall(1, 1, nil) == nil {
				if text, ok := s.L.Get(-1).(glua.LString); ok {
					return clip(string(text), 4<<10)
				}
			}
		}
		if text, ok := v.RawGetString("message").(glua.LString); ok {
			return clip(string(text), 4<<10)
		}
		return "error object " + s.errorFields(v)
	case *glua.LUserData:
		return "error object, a " + typeName(v)
	}
	return clip(fmt.Sprintf("error object %s", v.String()), 4<<10)
}

// errorFields shows the plain fields of an error object.
func (s *state) errorFields(t *glua.LTable) string {
	var parts []string
	for k, v := t.Next(glua.LNil); k != glua.LNil && len(parts) < 8; k, v = t.Next(k) {
		shown := typeName(v)
		switch v.(type) {
		case glua.LString:
			shown = strconv.Quote(clip(v.String(), 100))
		case glua.LNumber, glua.LBool:
			shown = v.String()
		}
		parts = append(parts, clip(k.String(), 40)+" = "+shown)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
