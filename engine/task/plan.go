package task

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// maxProblems bounds how many faults of a plan are told at once.
const maxProblems = 20

// plan is the graph of a run: for each task, by its place in the list, how
// many tasks it waits for and which wait for it.
type plan struct {
	index map[string]int
	waits []int
	edges []int // those that wait for a task, of all tasks, one after the other
	from  []int // where those of a task begin in edges; one more at the end
}

func (p *plan) dependants(i int) []int { return p.edges[p.from[i]:p.from[i+1]] }

// newPlan checks tasks and makes their graph. The error has all that is wrong.
func newPlan(tasks []Task) (*plan, error) {
	p := &plan{index: make(map[string]int, len(tasks)), waits: make([]int, len(tasks)), from: make([]int, len(tasks)+1)}
	var faults problems
	for i := range tasks {
		if first, again := p.index[tasks[i].ID]; again {
			faults.add("tasks[%d]: duplicate id %q, tasks[%d] has it too", i, tasks[i].ID, first)
		} else {
			p.index[tasks[i].ID] = i
		}
		faults.check(i, &tasks[i])
	}
	p.connect(tasks, &faults)
	if cycle := p.cycle(tasks); cycle != nil {
		faults.add("tasks wait for each other: %s", strings.Join(cycle, " -> "))
	}
	return p, faults.err()
}

// connect fills in who waits for whom.
func (p *plan) connect(tasks []Task, faults *problems) {
	var on []int // for each dependency, in order, the task that it names
	for i := range tasks {
		for _, id := range tasks[i].DependsOn {
			d, ok := p.index[id]
			if !ok {
				faults.missing(tasks[i].ID, id, p.index)
				continue
			}
			on = append(on, d)
			p.waits[i]++
			p.from[d]++
		}
	}
	end := 0
	for d, n := range p.from { // as yet their number; from here on the end of what is filled in
		p.from[d], end = end, end+n
	}
	p.edges = make([]int, len(on))
	for i, k := 0, 0; i < len(tasks); i++ {
		for range p.waits[i] {
			p.edges[p.from[on[k]]] = i
			p.from[on[k]]++
			k++
		}
	}
	copy(p.from[1:], p.from)
	p.from[0] = 0
}

// cycle returns the ids of tasks that wait for each other, the first one
// again at the end, or nil.
func (p *plan) cycle(tasks []Task) []string {
	left := slices.Clone(p.waits)
	var free []int
	for i, n := range left {
		if n == 0 {
			free = append(free, i)
		}
	}
	for k := 0; k < len(free); k++ {
		for _, d := range p.dependants(free[k]) {
			if left[d]--; left[d] == 0 {
				free = append(free, d)
			}
		}
	}
	at := slices.IndexFunc(left, func(n int) bool { return n > 0 })
	if at < 0 {
		return nil
	}
	// What is left waits for something that is left: following that leads
	// into a cycle.
	var path []string
	for seen := map[int]int{}; ; {
		if start, again := seen[at]; again {
			return append(path[start:], path[start])
		}
		seen[at] = len(path)
		path = append(path, fmt.Sprintf("%q", tasks[at].ID))
		for _, id := range tasks[at].DependsOn {
			if d, ok := p.index[id]; ok && left[d] > 0 {
				at = d
				break
			}
		}
	}
}

// problems collects what is wrong with a list of tasks.
type problems struct {
	list []error
	more int
}

func (p *problems) full() bool { return len(p.list) == maxProblems }

func (p *problems) add(format string, args ...any) {
	if p.full() {
		p.more++
		return
	}
	p.list = append(p.list, fmt.Errorf(format, args...))
}

// check reports what is wrong with a task by itself.
func (p *problems) check(i int, t *Task) {
	if t.ID == "" {
		p.add("tasks[%d]: no id (subject %q)", i, t.Subject)
	}
	if t.Timeout < 0 {
		p.add("task %q: timeout %v, expected 0 or more", t.ID, t.Timeout)
	}
	if t.RetryCount < 0 {
		p.add("task %q: retry count %d, expected 0 or more", t.ID, t.RetryCount)
	}
	if !slices.Contains(statuses, t.Status) {
		p.add("task %q: unknown status %q%s", t.ID, t.Status, advice(string(t.Status), words(statuses)))
	}
}

// missing reports a dependency that is not there.
func (p *problems) missing(id, on string, index map[string]int) {
	hint := ""
	if !p.full() {
		known := slices.Sorted(maps.Keys(index))
		hint = advice(on, slices.DeleteFunc(known, func(k string) bool { return k == id }))
	}
	p.add("task %q: depends on %q, which is not among the tasks%s", id, on, hint)
}

func (p *problems) err() error {
	if p.more > 0 {
		p.list = append(p.list, fmt.Errorf("and %d more", p.more))
	}
	return errors.Join(p.list...)
}

func advice(word string, candidates []string) string {
	if a := hook.DidYouMean(word, candidates); a != "" {
		return " (" + a + ")"
	}
	return ""
}

func words(list []Status) []string {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = string(s)
	}
	return texts
}
