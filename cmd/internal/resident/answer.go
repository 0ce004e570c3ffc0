package resident

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

var errGone = errors.New("the client has gone")

// answer answers one call, or declines it.
func (s *server) answer(l *line, c wire.Call) error {
	if home := c.Place.Home(); home != s.home {
		why := fmt.Sprintf("HOME is %q, that of pawld is %q", home, s.home)
		s.sentAway(why)
		return l.decline(why)
	}
	request, err := call.New(c.Flags)
	if err != nil {
		return l.decline(err.Error())
	}
	ctx, cancel := call.Until(s.calls, time.Now().Add(c.Left))
	defer cancel()
	return l.reply(request.Answer(ctx, s.desk(l), c.Place, c.Event))
}

// desk is what one call on a line is answered with; l is nil for http.
func (s *server) desk(l *line) *call.Desk {
	var w *workspace
	var name hook.EventName
	return &call.Desk{
		Workspace: s.roots.find,
		Open: func(ctx context.Context, setting call.Setting, event hook.EventName) (eng *call.Engine, err error) {
			name = event
			if w, err = s.pool.get(ctx, setting); err != nil {
				return nil, err
			}
			if event.ToolEvent() && w.once.Load() {
				return setting.OpenOnce(ctx, event, s.Engine...)
			}
			return w.eng, nil
		},
		Begin: func(ctx context.Context, does engine.SideEffects) (context.Context, func(), error) {
			ctx, done, err := begin(ctx, l, does)
			return ctx, func() {
				done()
				if starts := name == hook.SessionStart || name == hook.Setup; starts && does&engine.Starts != 0 {
					s.roots.forget()
					w.Reload(s.calls) // hooks that set a session up may write policy for it; an error is logged
				}
			}, err
		},
		Record: func(o call.Outcome) {
			if o.Err == nil {
				s.decided.Add(1)
				s.pool.count(w, o.Event)
			}
			s.Record(o)
		},
	}
}

// begin tells the client that hooks run now, and ends them if it goes.
func begin(ctx context.Context, l *line, does engine.SideEffects) (context.Context, func(), error) {
	if l == nil {
		return ctx, func() {}, nil
	}
	if err := l.begun(does); err != nil {
		return nil, nil, err
	}
	if does&engine.Starts == 0 {
		return ctx, func() {}, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := l.watch(func() { cancel(errGone) })
	return ctx, func() { stop(); cancel(nil) }, nil
}

// report is the status as JSON.
func (s *server) report() []byte {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	st := Status{PID: os.Getpid(), Version: s.Version, Started: s.started, Calls: s.decided.Load(), Memory: m.Sys, Workspaces: s.pool.workspaces()}
	s.mu.Lock()
	st.HTTP, st.Connections, st.Declined = s.http, len(s.lines), maps.Clone(s.declined)
	s.mu.Unlock()
	data, err := json.Marshal(st)
	if err != nil {
		return []byte("{}") // no value of Status can fail
	}
	return data
}
