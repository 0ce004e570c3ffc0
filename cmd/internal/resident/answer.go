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

var (
	errGone = errors.New("the client has gone")
	// errUnheard: it had gone before hooks ran, and decides by itself.
	errUnheard = errors.New("the client does not wait any more")
)

// answer answers one call, or declines it.
func (s *server) answer(l *line, c wire.Call) error {
	if why := s.strange(c); why != "" {
		s.sentAway(why)
		return l.decline(why)
	}
	request, err := call.New(c.Flags)
	if err != nil {
		return l.decline(err.Error())
	}
	ctx, cancel := call.Until(s.calls, time.Now().Add(c.Left))
	defer cancel()
	d := &desk{server: s, line: l}
	o := d.answer(ctx, request, c.Place, c.Event)
	err = l.reply(o.Reply)
	if err == nil || d.began { // else the client decides by itself
		s.Record(o)
	}
	return err
}

// strange says why a call must be answered where it comes from; "" if it need
// not. What it names is the same for all of a process: policies ask for the
// hour, and files of the home directory are settings.
func (s *server) strange(c wire.Call) string {
	home, zone := c.Place.Home(), c.Place.Zone()
	switch {
	case home != s.home:
		return fmt.Sprintf("HOME is %q, that of pawld is %q", home, s.home)
	case zone != s.zone:
		return fmt.Sprintf("the time zone is %q, that of pawld is %q", zone, s.zone)
	case c.Ledger != "" && c.Ledger != s.Ledger:
		return "the call is to be recorded elsewhere"
	}
	return ""
}

// desk is what one call is answered with.
type desk struct {
	*server
	line  *line // nil for http
	used  *workspace
	own   *call.Engine // for this call alone
	event hook.EventName
	began bool // hooks may have run
}

// answer answers and counts the call.
func (d *desk) answer(ctx context.Context, request *call.Call, p call.Place, event []byte) call.Outcome {
	defer d.release()
	o := request.Answer(ctx, &call.Desk{Workspace: d.roots.find, Open: d.open, Begin: d.begin}, p, event)
	if o.Err == nil {
		d.decided.Add(1)
		d.pool.count(d.used, o.Event)
	}
	return o
}

func (d *desk) open(ctx context.Context, setting call.Setting, event hook.EventName) (*call.Engine, error) {
	w, err := d.pool.get(ctx, setting)
	if err != nil {
		return nil, err
	}
	d.used, d.event = w, event
	if event.ToolEvent() && w.once.Load() {
		d.own, err = setting.OpenOnce(ctx, event, d.Engine...)
		return d.own, err
	}
	return w.eng, nil
}

// release gives back what the call has used.
func (d *desk) release() {
	if d.own != nil && d.own.Engine != nil {
		closeEngine(d.own)
	}
	if d.used != nil {
		d.used.using.Done()
	}
}

// closeWait is how long servers that hooks have started may take to end.
const closeWait = 5 * time.Second

func closeEngine(eng *call.Engine) {
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	eng.Close(ctx) // the error says that some were stopped
}

// begin tells the client that hooks run now, and ends them if it goes.
func (d *desk) begin(ctx context.Context, does engine.SideEffects) (context.Context, func(), error) {
	during, done := ctx, func() {}
	if d.line != nil {
		if d.line.begun(does) != nil {
			return nil, nil, errUnheard
		}
		d.began = true
		if does&engine.Starts != 0 {
			gone, cancel := context.WithCancelCause(ctx)
			stop := d.line.watch(func() { cancel(errGone) })
			during, done = gone, func() { stop(); cancel(nil) }
		}
	}
	if setsUp := d.event == hook.SessionStart || d.event == hook.Setup; setsUp && does&engine.Starts != 0 {
		ended := done
		done = func() {
			ended()
			d.roots.forget()
			d.used.Reload(d.calls) // what these hooks wrote may be policy; an error is logged
		}
	}
	return during, done, nil
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
