package resident

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// maxSessions is how many sessions of a workspace are counted.
const maxSessions = 20_000

// pool keeps the workspaces in use.
type pool struct {
	ctx  context.Context
	log  *slog.Logger
	opts []engine.Option
	most int           // workspaces
	idle time.Duration // after which one is dropped

	running sync.WaitGroup
	mu      sync.Mutex
	open    map[call.Setting]*workspace
}

// get returns the workspace of a setting, which it opens if need be, for a call
// that says when it is done with it (workspace.using). A ctx that ends meanwhile
// does not end the opening: the next call wants it too.
func (p *pool) get(ctx context.Context, s call.Setting) (*workspace, error) {
	w := p.find(s)
	var err error
	select {
	case <-w.ready:
		err = w.err
	case <-ctx.Done():
		err = fmt.Errorf("the policy of %s took too long to read", s.Root)
	}
	if err != nil {
		w.using.Done()
		return nil, err
	}
	return w, nil
}

// find returns the workspace of s, which may not be ready yet.
func (p *pool) find(s call.Setting) *workspace {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.open[s]
	if w == nil {
		w = &workspace{setting: s, log: p.log.With("root", s.Root), ready: make(chan struct{}), opened: time.Now(), sessions: map[string]bool{}}
		w.ctx, w.drop = context.WithCancel(p.ctx)
		p.open[s] = w
		p.running.Go(func() { p.run(w) })
	}
	w.used = time.Now()
	w.using.Add(1)
	for len(p.open) > p.most {
		p.dropOldest(w)
	}
	return w
}

// run opens a workspace and keeps it up to date until it is dropped.
func (p *pool) run(w *workspace) {
	w.open(p.opts)
	if w.err == nil {
		w.watch()
		p.unused(w)
		closeEngine(w.eng)
		return
	}
	p.mu.Lock() // the next call tries again
	defer p.mu.Unlock()
	p.forget(w)
}

// unused waits for the calls that have w, when it is dropped. At the end of
// the pool they have been ended; who is stuck then is left alone.
func (p *pool) unused(w *workspace) {
	done := make(chan struct{})
	go func() { // ends with the last of them
		w.using.Wait()
		close(done)
	}()
	select {
	case <-done:
		return
	case <-p.ctx.Done():
	}
	late := time.NewTimer(time.Second)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
}

// forget drops a workspace. Calls that have it end with it.
func (p *pool) forget(w *workspace) {
	if p.open[w.setting] == w {
		delete(p.open, w.setting)
	}
	w.drop()
}

// dropOldest drops the workspace that was used the longest ago, but not keep.
func (p *pool) dropOldest(keep *workspace) {
	var oldest *workspace
	for _, w := range p.open {
		if w != keep && (oldest == nil || w.used.Before(oldest.used)) {
			oldest = w
		}
	}
	if oldest == nil {
		return
	}
	p.forget(oldest)
}

// sweep drops the workspaces that nobody uses, until the pool ends.
func (p *pool) sweep() {
	tick := time.NewTicker(max(p.idle/4, time.Second))
	defer tick.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return
		case now := <-tick.C:
			p.dropIdle(now.Add(-p.idle))
		}
	}
}

func (p *pool) dropIdle(before time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.open {
		if w.used.Before(before) {
			w.log.Info("dropped: idle")
			p.forget(w)
		}
	}
}

// count notes a call.
func (p *pool) count(w *workspace, ev hook.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.calls++
	if len(w.sessions) < maxSessions {
		w.sessions[ev.Session] = true
	}
}

// workspaces returns the state of all, those used last first.
func (p *pool) workspaces() []WorkspaceStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]WorkspaceStatus, 0, len(p.open))
	for s, w := range p.open {
		st := WorkspaceStatus{Root: s.Root, Files: s.Files(), Opened: w.opened, Used: w.used, Calls: w.calls, Sessions: len(w.sessions)}
		select {
		case <-w.ready:
			if w.err == nil {
				st.Snapshot = w.eng.Snapshot()
				st.Faults = faults(w.eng.Diagnostics())
				for _, f := range w.eng.Kept() {
					st.Kept = append(st.Kept, f.Path+": "+f.Kept)
				}
			}
		default:
		}
		list = append(list, st)
	}
	slices.SortFunc(list, func(a, b WorkspaceStatus) int { return b.Used.Compare(a.Used) })
	return list
}

func faults(diags []hook.Diagnostic) (list []string) {
	for _, d := range diags {
		if d.Severity == hook.Error {
			list = append(list, d.Error())
		}
	}
	return list
}
