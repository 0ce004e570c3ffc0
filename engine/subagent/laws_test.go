package subagent_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/subagent"
)

// plot is all that happens to a dispatch, drawn before it: what each call of
// each kind comes to, in turn.
type plot struct {
	mode                    subagent.Mode
	run, hooks, start, stop []string
	agents                  []string // of delegates
	stopAt                  int      // cancel at this call of anything
}

func drawPlot(rt *rapid.T) plot {
	words := func(label, usual string, rare ...string) []string {
		return rapid.SliceOfN(rapid.SampledFrom(append(rare, usual, usual, usual, usual)), 40, 40).Draw(rt, label)
	}
	return plot{
		mode:   rapid.SampledFrom([]subagent.Mode{subagent.Sync, subagent.Fork, subagent.Teammate}).Draw(rt, "mode"),
		run:    words("run", "ok", "fail", "fail", "fail", "panic", "exit", "hang", "stuck"),
		hooks:  words("hooks", "none", "retry", "retry", "delegate", "delegate", "fail", "panic", "exit", "hang", "stuck"),
		start:  words("start", "none", "halt", "panic"),
		stop:   words("stop", "none", "deny", "deny", "halt", "panic"),
		agents: rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", "c", "d", "e"}), 40, 40).Draw(rt, "agents"),
		stopAt: rapid.IntRange(0, 40).Draw(rt, "stop at"),
	}
}

// life is what was seen of one attempt.
type life struct {
	runs, stops, after, failure int
	last                        string // status of the last SubagentStop
	blocked                     bool   // and it was denied
}

// stage plays a plot and watches.
type stage struct {
	plot
	cancel  func()
	mu      sync.Mutex
	calls   int
	halted  bool
	before  int
	lives   []*life // one for each SubagentStart
	byID    map[string]*life
	faults  []string
	stopped bool
}

func (s *stage) fault(format string, args ...any) {
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

// enter is called at the start of each call, cancels when it is time, and
// returns the next word of list.
func (s *stage) enter(list *[]string, see func(word string)) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls++; s.calls == s.stopAt {
		s.stopped = true
		s.cancel()
	}
	word := (*list)[0]
	if len(*list) > 1 {
		*list = (*list)[1:]
	}
	see(word)
	return word
}

// play does what a word says that all calls have in common.
func play(ctx context.Context, word string) error {
	switch word {
	case "panic":
		panic("in the plot")
	case "exit":
		runtime.Goexit()
	case "hang", "stuck":
		return hang(ctx, word == "hang")
	}
	return nil
}

func (s *stage) config() subagent.Config {
	return subagent.Config{
		Timeout: time.Minute, MaxGoOns: 2, Agents: []string{"a", "b", "c", "d"},
		Run: func(ctx context.Context, c subagent.Call) (string, error) {
			word := s.enter(&s.run, func(string) {
				l := s.byID[c.ID]
				if l == nil || l.stops != l.runs {
					s.fault("run of %s, seen %+v", c.ID, l)
					return
				}
				l.runs++
			})
			err := play(ctx, word)
			if word == "fail" {
				err = errBoom
			}
			return "result", err
		},
		Hooks: []subagent.Hooks{{
			BeforeDispatch: func(ctx context.Context, c subagent.Context) {
				_ = play(ctx, s.enter(&s.hooks, func(string) {
					if s.before++; s.before != c.Attempt {
						s.fault("BeforeDispatch %d of attempt %d", s.before, c.Attempt)
					}
				}))
			},
			AfterDispatch: func(ctx context.Context, _ subagent.Context, _ subagent.Result) {
				_ = play(ctx, s.enter(&s.hooks, func(string) { s.lives[len(s.lives)-1].after++ }))
			},
		}, {OnFailure: s.decides}},
		Dispatch: s.answers,
	}
}

func (s *stage) decides(ctx context.Context, _ subagent.Context, _ error) subagent.Decision {
	var agent string
	word := s.enter(&s.hooks, func(string) {
		s.lives[len(s.lives)-1].failure++
		agent, s.agents = s.agents[0], s.agents[1:]
	})
	_ = play(ctx, word)
	return map[string]subagent.Decision{"retry": subagent.Retry{Delay: time.Hour}, "delegate": subagent.Delegate{Agent: agent}, "fail": subagent.Fail{}}[word]
}

func (s *stage) answers(_ context.Context, ev hook.Event) hook.Decision {
	id, status := ev.More.Text("agent_id"), ev.More.Text("subagent_stop_status")
	list := &s.stop
	if ev.Name == hook.SubagentStart {
		list = &s.start
	}
	word := s.enter(list, func(word string) {
		s.halted = s.halted || word == "halt"
		if ev.Name == hook.SubagentStart {
			s.byID[id] = &life{}
			s.lives = append(s.lives, s.byID[id])
			return
		}
		l := s.byID[id]
		if l.last != "" && !l.blocked && !(l.last == "completed" && status == "cancelled") {
			s.fault("attempt %s stops as %s after it stopped as %s", id, status, l.last)
		}
		l.stops++
		l.last, l.blocked = status, word == "deny" && status == "completed"
	})
	switch word {
	case "deny":
		return hook.Decision{Event: ev.Name, Verdict: hook.Deny}
	case "halt":
		return hook.Decision{Event: ev.Name, Halted: true}
	}
	_ = play(context.Background(), word)
	return hook.Decision{}
}

// check compares what came of the dispatch with what was seen.
func (s *stage) check(res subagent.Result, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if res.Attempts > 4 || res.Attempts != s.before || len(s.lives) > res.Attempts || len(s.lives) < res.Attempts-1 {
		s.fault("%d attempts, %d BeforeDispatch, %d SubagentStart", res.Attempts, s.before, len(s.lives))
	}
	for i, l := range s.lives {
		last := i == len(s.lives)-1
		broke := slices.Contains([]string{"failed", "timed_out"}, l.last)
		switch {
		case l.last == "" || l.runs > 3 || l.after+l.failure > 1:
			s.fault("attempt %d: %+v", i+1, *l)
		case !last && (!broke || l.failure != 1):
			s.fault("attempt %d is followed by another: %+v", i+1, *l)
		case broke && l.failure != 1 && !s.stopped && !s.halted:
			s.fault("attempt %d failed and nobody was asked: %+v", i+1, *l)
		case (l.last == "completed") != (l.after == 1):
			s.fault("attempt %d stopped as %s, AfterDispatch came %d times", i+1, l.last, l.after)
		case last && l.after == 1 && err != nil && !s.halted, last && l.after == 0 && err == nil:
			s.fault("attempt %d: %+v, and the error is %v", i+1, *l, err)
		}
	}
}

// TestLaws: whatever subagents, hooks and the host do, each attempt that
// starts ends once, and the chain ends.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := drawPlot(rt)
		var faults []string
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			s := &stage{plot: p, byID: map[string]*life{}}
			d := newDispatcher(t, s.config())
			var running atomic.Pointer[subagent.Running]
			s.cancel = func() {
				stop()
				if r := running.Load(); r != nil { // nil while Dispatch has not returned
					r.Cancel()
				}
			}
			running.Store(d.Dispatch(ctx, subagent.Request{Agent: "a", Mode: p.mode}))
			s.check(running.Load().Wait(t.Context()))
			time.Sleep(2 * time.Hour) // until what was abandoned is over
			faults = s.faults
		})
		for _, f := range faults {
			rt.Error(f)
		}
	})
}
