package resident

import (
	"bufio"
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
	"github.com/pawl-dev/pawl/engine"
)

// Options are what a server is made of. Dir, Version and Log must be set.
type Options struct {
	Dir     string // runtime directory (wire.Dir)
	Version string // of this build (wire.Version)
	Log     *slog.Logger
	// HTTP is a loopback address for http hooks of agents; "" is none.
	HTTP string
	// Engine are options of every engine: the hook types that it links.
	Engine []engine.Option
	// Record is told what each call came to, after its reply, and writes it to
	// the file Ledger. Callers that ask for a record elsewhere are sent away.
	Record func(call.Outcome)
	Ledger string

	// Connections, Workspaces and Large bound what is open at once: lines,
	// engines, and bytes of large events. Default: 256, or what the limit of open
	// files allows; 32; 256 MiB.
	Connections, Workspaces, Large int
	// Wait is how long a client may take for what it sends and for what it is
	// sent; between two calls six times that. Default: 10 seconds.
	Wait time.Duration
	// Idle is after how long without a call a workspace is dropped, Drain how
	// long an ordered end waits for calls. Default: 15 minutes, 10 seconds.
	Idle, Drain time.Duration
}

// A hook that cannot be started because the server has too many files open
// would be no guard any more: who comes then is to decide by itself.
const (
	filesPerCall = 12 // the connection, and the pipes of hooks
	filesApart   = 64 // of the server: logs, state, what is being read
)

func (o *Options) defaults() {
	number := func(n *int, otherwise int) {
		if *n <= 0 {
			*n = otherwise
		}
	}
	span := func(d *time.Duration, otherwise time.Duration) {
		if *d <= 0 {
			*d = otherwise
		}
	}
	number(&o.Connections, 256)
	number(&o.Workspaces, 32)
	number(&o.Large, 256<<20)
	if files := openFiles(); files > 0 {
		o.Connections = min(o.Connections, max(1, (files-filesApart-o.Workspaces)/filesPerCall))
	}
	span(&o.Wait, 10*time.Second)
	span(&o.Idle, 15*time.Minute)
	span(&o.Drain, 10*time.Second)
	if o.Record == nil {
		o.Record = func(call.Outcome) {}
	}
}

// server is one resident engine.
type server struct {
	Options
	pool    *pool
	roots   roots
	home    string
	zone    string
	started time.Time
	slots   chan struct{} // one for each connection
	large   atomic.Int64  // bytes of large events
	decided atomic.Int64

	unnamed  atomic.Bool   // the socket has gone
	asked    chan struct{} // closed when a client asks to stop
	askOnce  sync.Once
	stopping context.Context
	halt     context.CancelFunc // ends stopping: no more calls
	calls    context.Context    // of all calls
	kill     context.CancelCauseFunc
	serving  sync.WaitGroup

	mu       sync.Mutex
	lines    map[*line]lineState
	declined map[string]int64
	http     string
}

var errStopped = errors.New("pawld was stopped before there was a decision")

// Run listens and answers until ctx ends or a client asks it to stop, and
// returns when the calls that ran then have ended. It fails at once if another
// server of the user runs.
func Run(ctx context.Context, o Options) error {
	o.defaults()
	s := &server{
		Options: o, home: call.Here().Home(), zone: call.Here().Zone(), started: time.Now(), slots: make(chan struct{}, o.Connections),
		asked: make(chan struct{}), lines: map[*line]lineState{}, declined: map[string]int64{},
	}
	listener, release, err := listen(o.Dir)
	if err != nil {
		return err
	}
	defer s.unpark()
	defer release()
	s.stopping, s.halt = context.WithCancel(context.Background())
	s.calls, s.kill = context.WithCancelCause(context.Background())
	defer s.kill(nil)
	poolCtx, drop := context.WithCancel(context.Background())
	s.pool = &pool{ctx: poolCtx, log: o.Log, opts: o.Engine, most: o.Workspaces, idle: o.Idle, open: map[call.Setting]*workspace{}}
	s.pool.running.Go(s.pool.sweep)
	defer s.pool.running.Wait()
	defer drop()
	web, err := s.listenHTTP()
	if err != nil {
		listener.Close()
		return err
	}
	o.Log.Info("pawld is ready", "socket", wire.Socket(o.Dir), "http", s.http, "pid", os.Getpid())
	s.serving.Go(func() { s.accept(listener) })
	s.serving.Go(func() { s.lookout(listener) })
	if web != nil {
		s.serving.Go(web.serve)
	}
	select {
	case <-ctx.Done():
	case <-s.asked:
	}
	o.Log.Info("pawld is stopping")
	s.halt()
	listener.Close()
	if web != nil {
		s.serving.Go(func() { web.stop(o.Drain + afterKill) })
	}
	s.drain()
	if s.unnamed.Load() {
		return errUnnamed
	}
	return nil
}

var errUnnamed = errors.New("the socket was removed, or another took its place, so that nobody could ask any more")

// lookout stops the server when clients cannot find it any more: they decide
// by themselves, and who looks after services starts another.
func (s *server) lookout(listener *socket) {
	tick := time.NewTicker(s.Wait)
	defer tick.Stop()
	for listener.named() {
		select {
		case <-s.stopping.Done():
			return
		case <-tick.C:
		}
	}
	if s.stopping.Err() == nil {
		s.unnamed.Store(true)
		s.askOnce.Do(func() { close(s.asked) })
	}
}

// accept takes connections until the listener is closed.
func (s *server) accept(listener *socket) {
	for {
		conn, err := listener.AcceptUnix()
		switch {
		case err == nil:
		case s.stopping.Err() != nil:
			return
		default: // too many files are open, say: clients decide by themselves
			s.Log.Error("no connection could be taken", "error", err)
			select {
			case <-s.stopping.Done():
			case <-time.After(50 * time.Millisecond):
			}
			continue
		}
		select {
		case s.slots <- struct{}{}:
			s.serving.Go(func() { s.serve(conn) })
		default:
			s.sentAway("too many connections")
			conn.Close()
		}
	}
}

// serve answers one client until it leaves.
func (s *server) serve(conn *net.UnixConn) {
	defer func() { <-s.slots }()
	l := &line{conn: conn, r: bufio.NewReaderSize(conn, 16<<10), leave: s.leave, wait: s.Wait, idle: s.Wait}
	defer s.close(l)
	if err := l.greet(s.Version); err != nil {
		s.sentAway(err.Error())
		return
	}
	for s.turns(l, waiting) {
		a, err := l.next()
		if err != nil {
			return
		}
		s.turns(l, answering)
		err = s.do(l, a)
		a.done()
		if err != nil {
			return
		}
		l.idle = 6 * s.Wait
	}
}

// lineState is what a line is about.
type lineState uint8

const (
	waiting lineState = iota
	answering
	parked // its client waits for the end
)

// turns notes what l is about, and reports whether it may go on.
func (s *server) turns(l *line, to lineState) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines[l] = to
	return to != waiting || s.stopping.Err() == nil
}

// close ends a line, unless it is parked.
func (s *server) close(l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lines[l] != parked {
		delete(s.lines, l)
		l.close()
	}
}

// leave takes n bytes of what large events may have.
func (s *server) leave(n int) (done func(), ok bool) {
	if s.large.Add(int64(n)) > int64(s.Large) {
		s.large.Add(-int64(n))
		return nil, false
	}
	return func() { s.large.Add(-int64(n)) }, true
}

var errParked = errors.New("the client waits for the end")

// do does what a client asks for. The connection ends after an error.
func (s *server) do(l *line, a ask) error {
	switch {
	case a.status:
		return l.report(s.report())
	case a.stop:
		s.turns(l, parked)
		s.askOnce.Do(func() { close(s.asked) })
		return errParked
	}
	return s.answer(l, *a.call)
}

// sentAway counts a client that has to decide by itself.
func (s *server) sentAway(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.declined[why]; known || len(s.declined) < 100 {
		s.declined[why]++
	}
	s.Log.Debug("a client was sent away", "why", why)
}

// afterKill is how long calls that are ended may take: package engine abandons
// a hook type after two seconds.
const afterKill = 3 * time.Second

// drain lets the calls that run end, and ends them when Drain is over.
func (s *server) drain() {
	s.mu.Lock()
	for l, state := range s.lines {
		if state == waiting {
			l.close()
		}
	}
	s.mu.Unlock()
	finished := make(chan struct{})
	go func() { // ends with the last call
		s.serving.Wait()
		close(finished)
	}()
	late := time.NewTimer(s.Drain)
	defer late.Stop()
	select {
	case <-finished:
		return
	case <-late.C:
	}
	s.Log.Warn("calls that run are ended")
	s.kill(errStopped)
	late.Reset(afterKill)
	select {
	case <-finished:
	case <-late.C:
		s.Log.Error("calls are stuck and are left alone")
	}
}

// unpark lets those go that wait for the end.
func (s *server) unpark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.lines {
		l.close()
	}
}
