package task_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/task"
)

// plot is all that happens in a run, drawn before it: what each call of each
// kind about each task comes to, in turn.
type plot struct {
	tasks    []task.Task
	parallel int
	execute  map[string][]string // ok, fail, panic, exit, hang, stuck
	hooks    map[string][]string // none, retry, skip, fail, panic, exit, hang, stuck
	created  map[string]string   // none, deny, halt, panic
	complete map[string][]string
	stopAt   int // cancel at this call of anything
}

func drawPlot(rt *rapid.T) plot {
	p := plot{execute: map[string][]string{}, hooks: map[string][]string{}, created: map[string]string{}, complete: map[string][]string{}}
	often := func(usual string, rare ...string) *rapid.Generator[string] {
		return rapid.SampledFrom(append(rare, slices.Repeat([]string{usual}, 2*len(rare))...))
	}
	for i := range rapid.IntRange(1, 8).Draw(rt, "tasks") {
		id := fmt.Sprint(i)
		tk := task.Task{ID: id, MaxRetries: rapid.IntRange(-1, 2).Draw(rt, "max retries "+id), Timeout: time.Minute}
		for j := range i {
			if rapid.IntRange(0, 3).Draw(rt, "depends") == 0 {
				tk.DependsOn = append(tk.DependsOn, fmt.Sprint(j))
			}
		}
		p.tasks = append(p.tasks, tk)
		p.execute[id] = rapid.SliceOfN(often("ok", "fail", "panic", "exit", "hang", "stuck"), 12, 12).Draw(rt, "execute "+id)
		p.hooks[id] = rapid.SliceOfN(often("none", "retry", "skip", "fail", "panic", "exit", "hang", "stuck"), 12, 12).Draw(rt, "hooks "+id)
		p.created[id] = often("none", "none", "deny", "halt", "panic").Draw(rt, "created "+id)
		p.complete[id] = rapid.SliceOfN(often("none", "deny", "halt", "panic"), 12, 12).Draw(rt, "complete "+id)
	}
	p.tasks = rapid.Permutation(p.tasks).Draw(rt, "order")
	p.parallel = rapid.IntRange(1, 4).Draw(rt, "parallel")
	p.stopAt = rapid.IntRange(0, 60).Draw(rt, "stop at")
	return p
}

// life is what was seen of one task.
type life struct {
	created, before, executions, after int
	atWork                             bool
	last                               string // status of the last TaskCompleted
	lastDenied                         bool
}

// stage plays a plot and watches.
type stage struct {
	plot
	stop   func()
	mu     sync.Mutex
	calls  int
	atWork int
	lives  map[string]*life
	faults []string
}

func (s *stage) fault(format string, args ...any) {
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

// enter is called at the start of each call; it cancels the run when it is time.
func (s *stage) enter(see func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls++; s.calls == s.stopAt {
		s.stop()
	}
	see()
}

// turn returns the next word of a list; the last one is for all the rest.
func turn(list map[string][]string, id string) string {
	word := list[id][0]
	if len(list[id]) > 1 {
		list[id] = list[id][1:]
	}
	return word
}

// play does what a word says that hooks and executions have in common.
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

func (s *stage) observe(ctx context.Context, id string, count func(*life)) {
	var word string
	s.enter(func() {
		count(s.lives[id])
		word = turn(s.hooks, id)
	})
	_ = play(ctx, word)
}

func (s *stage) runner() task.Runner {
	return task.Runner{
		Parallel: s.parallel, MaxReopens: 2,
		Execute: s.executes,
		Hooks: []task.Hooks{{
			BeforeExecute: func(ctx context.Context, c task.Context) {
				s.observe(ctx, c.Task.ID, func(l *life) { l.before++ })
			},
			AfterExecute: func(ctx context.Context, c task.Context, _ string) {
				s.observe(ctx, c.Task.ID, func(l *life) { l.after++ })
			},
		}, {OnFailure: s.decides}},
		Dispatch: s.answers,
	}
}

func (s *stage) executes(ctx context.Context, job task.Job) (string, error) {
	var word string
	id := job.Task.ID
	s.enter(func() {
		l := s.lives[id]
		if l.atWork || l.created != 1 || l.before != 1 {
			s.fault("task %s is executed while at work (%v), created %d times, told %d times", id, l.atWork, l.created, l.before)
		}
		if l.executions++; l.executions != job.Attempt {
			s.fault("task %s: execution %d is attempt %d", id, l.executions, job.Attempt)
		}
		l.atWork = true
		if s.atWork++; s.atWork > s.parallel {
			s.fault("%d tasks at work, Parallel is %d", s.atWork, s.parallel)
		}
		if word = turn(s.execute, id); word == "stuck" {
			s.atWork-- // it will be abandoned, and holds no place then
		}
	})
	defer s.leave(id, word)
	err := play(ctx, word)
	if word == "fail" {
		err = errBoom
	}
	return "result", err
}

func (s *stage) leave(id, word string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lives[id].atWork = false
	if word != "stuck" {
		s.atWork--
	}
}

func (s *stage) decides(ctx context.Context, c task.Context, err error) task.Decision {
	var word string
	s.enter(func() {
		word = turn(s.hooks, c.Task.ID)
		if c.Task.Status != task.Failed && c.Task.Status != task.TimedOut || err == nil {
			s.fault("OnFailure of task %s, which is %s: %v", c.Task.ID, c.Task.Status, err)
		}
	})
	_ = play(ctx, word)
	return map[string]task.Decision{"retry": task.Retry{Delay: time.Hour}, "skip": task.Skip{}, "fail": task.Fail{}}[word]
}

func (s *stage) answers(_ context.Context, ev hook.Event) hook.Decision {
	id, status := ev.More.Text("task_id"), ev.More.Text("task_terminal_status")
	var word string
	s.enter(func() {
		l := s.lives[id]
		if ev.Name == hook.TaskCreated {
			word = s.created[id]
			l.created++
			s.dependenciesDone(id)
			return
		}
		word = turn(s.complete, id)
		if l.last != "" && !l.lastDenied && !(l.last == "completed" && status == "cancelled") {
			s.fault("task %s ends as %s after it ended as %s", id, status, l.last)
		}
		l.last, l.lastDenied = status, word == "deny"
	})
	switch word {
	case "deny":
		return hook.Decision{Event: ev.Name, Verdict: hook.Deny, Reasons: []string{"no"}}
	case "halt":
		return hook.Decision{Event: ev.Name, Halted: true}
	}
	_ = play(context.Background(), word)
	return hook.Decision{}
}

// dependenciesDone: what a task waits for has ended well before it is created.
func (s *stage) dependenciesDone(id string) {
	i := slices.IndexFunc(s.tasks, func(t task.Task) bool { return t.ID == id })
	for _, on := range s.tasks[i].DependsOn {
		if l := s.lives[on]; l.lastDenied || l.last != "completed" && l.last != "skipped" {
			s.fault("task %s starts before %s is done: %s", id, on, l.last)
		}
	}
}

// check compares the outcomes with what was seen.
func (s *stage) check(outcomes []task.Outcome, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	done, byID := 0, map[string]task.Outcome{}
	for _, o := range outcomes {
		byID[o.ID] = o
	}
	for _, o := range outcomes {
		l := s.lives[o.ID]
		if o.Attempts != l.executions || l.created > 1 || l.before > 1 || (o.Err == nil) != (o.Status == task.Completed || o.Status == task.Pending) {
			s.fault("task %s: %+v, seen %+v", o.ID, o, *l)
		}
		if most := 1 + map[int]int{-1: 0, 0: 10}[o.MaxRetries] + max(0, o.MaxRetries) + 2; o.Attempts > most {
			s.fault("task %s: %d executions, at most %d are allowed", o.ID, o.Attempts, most)
		}
		if (l.after == 1) != (o.Status == task.Completed) || l.after > 1 {
			s.fault("task %s is %s; AfterExecute was told %d times", o.ID, o.Status, l.after)
		}
		s.checkEnd(o, l, byID)
		if o.Status.Done() {
			done++
		}
	}
	if (err == nil) != (done == len(outcomes)) {
		s.fault("%d of %d tasks are done, and the error is %v", done, len(outcomes), err)
	}
}

func (s *stage) checkEnd(o task.Outcome, l *life, byID map[string]task.Outcome) {
	switch o.Status {
	case task.Pending, task.Blocked:
		if l.created != 0 {
			s.fault("task %s is %s but was created", o.ID, o.Status)
		}
		bad := slices.ContainsFunc(o.DependsOn, func(on string) bool {
			return !byID[on].Status.Done() && byID[on].Status != task.Pending && byID[on].Status != task.Cancelled
		})
		if bad != (o.Status == task.Blocked) {
			s.fault("task %s is %s; it waits for one that will not be done: %v", o.ID, o.Status, bad)
		}
	case task.Rejected:
		if l.created != 1 || l.before+l.executions+l.after != 0 || l.last != "" {
			s.fault("task %s was rejected and goes on: %+v", o.ID, *l)
		}
	case task.Open:
		if !l.lastDenied {
			s.fault("task %s is open, but its end was not blocked: %+v", o.ID, *l)
		}
	case task.Completed, task.Skipped, task.Failed, task.TimedOut, task.Cancelled:
		if l.last != string(o.Status) || l.lastDenied && o.Status.Done() {
			s.fault("task %s is %s, hooks were told %+v", o.ID, o.Status, *l)
		}
	default:
		s.fault("task %s ends as %s", o.ID, o.Status)
	}
}

// TestLaws: whatever tasks, hooks and the host do, each task that starts ends
// once, none before its dependencies, and the outcomes are what happened.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := drawPlot(rt)
		var faults []string
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			s := &stage{plot: p, stop: stop, lives: map[string]*life{}}
			for _, tk := range p.tasks {
				s.lives[tk.ID] = &life{}
			}
			r := s.runner()
			given := slices.Clone(p.tasks)
			outcomes, err := r.Run(ctx, p.tasks)
			if halt := (*hook.Halt)(nil); ctx.Err() != nil && !errors.Is(err, context.Canceled) && err != nil && !errors.As(err, &halt) {
				s.fault("cancelled, and the error is %v", err)
			}
			s.check(outcomes, err)
			if !reflect.DeepEqual(given, p.tasks) {
				t.Error("the tasks that were passed in have changed")
			}
			time.Sleep(2 * time.Hour) // until what was abandoned is over
			faults = s.faults
		})
		for _, f := range faults {
			rt.Error(f)
		}
	})
}
