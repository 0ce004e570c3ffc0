package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/subagent"
	"github.com/pawl-dev/pawl/engine/task"
	"github.com/pawl-dev/pawl/watcher"
)

// Host is what all agents of a session share: the engine, the tools, the
// screen.
type Host struct {
	eng     *engine.Engine
	model   Model
	screen  *Screen
	allow   func(question string) bool // a person answers
	bench   *workbench
	tools   []*Tool
	team    *subagent.Dispatcher
	tasks   *task.Runner
	session string
	changes chan engine.Change // what reloads did, for who waits for one
	watched chan struct{}      // closed when nothing is watched any more
	unwatch context.CancelFunc
}

// Options say what an agent is made with.
type Options struct {
	Dir    string // the workspace, and where its policy is
	Home   string // of the user; "" is the real one
	Trust  bool   // the policy of the workspace may do all
	Model  Model
	Client *http.Client // of WebFetch
	Screen *Screen
	Allow  func(question string) bool
}

// NewHost opens the engine and starts to watch its files.
func NewHost(ctx context.Context, o Options) (*Host, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	o.Screen.Dir = dir
	h := &Host{model: o.Model, screen: o.Screen, allow: o.Allow, session: "session-1", changes: make(chan engine.Change, 16), watched: make(chan struct{})}
	options := []engine.Option{
		engine.WithTrust(func(string) bool { return o.Trust }),
		engine.WithObserver(h.screen.Progress),
		engine.WithChanges(h.changed),
		engine.WithHook(engine.ConfigChange, "", h.configChange),
		engine.WithTaskHooks(h.taskHooks()),
		engine.WithSubagentHooks(h.teamHooks()),
	}
	if o.Home != "" {
		options = append(options, engine.WithHome(o.Home), engine.WithManaged(filepath.Join(o.Home, "managed")))
	}
	if h.eng, err = engine.Open(ctx, dir, options...); err != nil {
		return nil, err
	}
	files, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	h.bench = &workbench{dir: dir, files: files, client: o.Client}
	h.tools = append(h.bench.tools(), h.agentTool(), h.planTool())
	h.tasks = h.eng.Tasks(task.Runner{Session: h.session, Dir: dir, Executor: "main", Parallel: 1, Dispatch: h.Dispatch, Execute: h.execute})
	h.team, err = h.eng.Subagents(subagent.Config{Session: h.session, Dir: dir, Agents: teamNames, Dispatch: h.Dispatch, Run: h.runSubagent})
	if err != nil {
		return nil, err
	}
	return h, h.watch(ctx)
}

// watch reloads the policy when its files change.
func (h *Host) watch(ctx context.Context) error {
	w, err := watcher.New(h.eng, watcher.WithObserver(h.screen.Watched))
	if err != nil {
		return err
	}
	ctx, h.unwatch = context.WithCancel(ctx)
	go func() {
		defer close(h.watched)
		w.Run(ctx)
	}()
	return nil
}

// Close ends what the host has started.
func (h *Host) Close(ctx context.Context) error {
	h.unwatch()
	<-h.watched
	err := h.team.Close(ctx)
	if err2 := h.eng.Close(ctx); err == nil {
		err = err2
	}
	h.bench.files.Close()
	return err
}

// Dispatch is where all events of the agent pass: those of the loop, and
// those of tasks and subagents.
func (h *Host) Dispatch(ctx context.Context, ev engine.Event) engine.Decision {
	ev.Session, ev.Dir = h.session, h.bench.dir
	dec := h.eng.Dispatch(ctx, ev)
	h.screen.Event(ev, dec)
	return dec
}

// configChange sees the ConfigChange events, which the engine itself
// dispatches: it runs after the hooks of the policy, and not if one denies.
func (h *Host) configChange(_ context.Context, c engine.Call) (engine.Result, error) {
	h.screen.Event(c.Facts.Event, engine.Decision{})
	return engine.Result{}, nil
}

// changed is told what a reload did.
func (h *Host) changed(c engine.Change) {
	for _, f := range c.Files {
		h.screen.Note("policy", fmt.Sprintf("%s %s: %s", filepath.Base(f.Path), f.Kind, f.Summary()))
		if f.Kept != "" {
			h.screen.Note("refused", f.Kept)
		}
	}
	if c.Err != nil {
		h.screen.Note("refused", c.Err.Error())
	}
	select {
	case h.changes <- c:
	default: // nobody waits
	}
}
