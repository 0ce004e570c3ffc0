package task

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

// schedule is one run. Workers take tasks from it; a task at work has its
// outcome to itself.
type schedule struct {
	r    *Runner
	plan *plan
	stop context.CancelCauseFunc // ends the run

	mu       sync.Mutex
	change   sync.Cond // there is something to take, or nothing will be
	outcomes []Outcome
	ready    []int // tasks that can start, the one given first last
	running  int
}

func newSchedule(r *Runner, p *plan, tasks []Task, stop context.CancelCauseFunc) *schedule {
	s := &schedule{r: r, plan: p, stop: stop, outcomes: make([]Outcome, len(tasks))}
	s.change.L = &s.mu
	for i := range tasks {
		s.outcomes[i].Task = tasks[i]
		if !tasks[i].Status.Done() {
			s.outcomes[i].Status = Pending
			continue
		}
		for _, d := range p.dependants(i) {
			p.waits[d]--
		}
	}
	for i, n := range slices.Backward(p.waits) {
		if n == 0 && s.outcomes[i].Status == Pending {
			s.ready = append(s.ready, i)
		}
	}
	return s
}

// run lets workers take tasks until nothing can go on.
func (s *schedule) run(ctx context.Context) {
	var workers sync.WaitGroup
	w := work{r: s.r, stop: s.stop, free: context.WithoutCancel(ctx)}
	for range min(s.r.Parallel, len(s.outcomes)) {
		workers.Go(func() { s.serve(ctx, w, &workers) })
	}
	workers.Wait()
}

// serve is one worker. If a func of the host that nothing bounds ends its
// goroutine, the task at hand fails and another worker goes on.
func (s *schedule) serve(ctx context.Context, w work, workers *sync.WaitGroup) {
	var caller hook.Caller
	defer caller.End()
	i := -1
	defer func() {
		if i < 0 {
			return
		}
		w.out.Status, w.out.Err = Failed, hook.Lost(recover())
		s.settle(i)
		workers.Go(func() { s.serve(ctx, w, workers) })
	}()
	w.caller = &caller
	for i = s.take(ctx); i >= 0; i = s.take(ctx) {
		w.out, w.results = &s.outcomes[i], s.results(i)
		w.do(ctx)
		s.settle(i)
	}
}

// take waits for a task that can start and returns its place, or -1 when the
// run is over: it has been ended, or nothing is at work that others wait for.
func (s *schedule) take(ctx context.Context) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ctx.Err() == nil {
		switch {
		case len(s.ready) > 0:
			s.running++
			last := len(s.ready) - 1
			i := s.ready[last]
			s.ready = s.ready[:last]
			return i
		case s.running == 0:
			return -1
		}
		s.change.Wait()
	}
	return -1
}

// results are those of what task i depends on, which is done and does not change.
func (s *schedule) results(i int) []string {
	on := s.outcomes[i].DependsOn
	if len(on) == 0 {
		return nil
	}
	list := make([]string, len(on))
	for k, id := range on {
		list[k] = s.outcomes[s.plan.index[id]].Result
	}
	return list
}

// settle sets free what waits for a task that is done, and blocks what waits
// for one that will not be. When the run has ended, what is left stays pending.
func (s *schedule) settle(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	switch s.outcomes[i].Status {
	case Completed, Skipped:
		for _, d := range s.plan.dependants(i) {
			if s.plan.waits[d]--; s.plan.waits[d] == 0 {
				at, _ := slices.BinarySearchFunc(s.ready, d, func(a, b int) int { return b - a })
				s.ready = slices.Insert(s.ready, at, d)
			}
		}
	case Cancelled:
	default:
		s.block(i)
	}
	if len(s.ready) > 1 || s.running == 0 {
		s.change.Broadcast()
	}
}

// block marks all that waits, at any remove, for task i.
func (s *schedule) block(i int) {
	root := &s.outcomes[i]
	err := fmt.Errorf("it waits for task %q, which is %s: %w", root.ID, root.Status, root.Err)
	for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
		for _, d := range s.plan.dependants(queue[0]) {
			if o := &s.outcomes[d]; o.Status == Pending {
				o.Status, o.Err = Blocked, err
				queue = append(queue, d)
			}
		}
	}
}
