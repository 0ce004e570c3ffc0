package task_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/task"
)

// layers is a DAG of n tasks in layers of ten; each waits for two of the
// layer before it.
func layers(n int) []task.Task {
	tasks := make([]task.Task, n)
	for i := range tasks {
		tasks[i] = task.Task{ID: "task-" + strconv.Itoa(i), Subject: "task number " + strconv.Itoa(i)}
		if i >= 10 {
			tasks[i].DependsOn = []string{tasks[i-10].ID, tasks[i-i%10-1].ID}
		}
	}
	return tasks
}

// BenchmarkOverhead runs a DAG of 10,000 tasks beside the bare funcs, called
// one after the other, and reports what a task costs more than its func: in
// ns, and as a multiple of what it costs to start a goroutine and wait for it.
func BenchmarkOverhead(b *testing.B) {
	tasks := layers(10_000)
	work := func(_ context.Context, job task.Job) (string, error) { return job.Task.ID, nil }
	silent := task.Hooks{
		BeforeExecute: func(context.Context, task.Context) {},
		AfterExecute:  func(context.Context, task.Context, string) {},
		OnFailure:     func(context.Context, task.Context, error) task.Decision { return nil },
	}
	idle := func(_ context.Context, ev hook.Event) hook.Decision { return hook.Decision{Event: ev.Name} }
	for _, c := range []struct {
		name   string
		runner task.Runner
	}{
		{"bare", task.Runner{}},
		{"dispatch", task.Runner{Dispatch: idle}},
		{"hooks", task.Runner{Hooks: []task.Hooks{silent}}},
		{"both", task.Runner{Dispatch: idle, Hooks: []task.Hooks{silent}}},
	} {
		c.runner.Execute = work
		for _, parallel := range []int{1, 5} {
			c.runner.Parallel = parallel
			b.Run(c.name+"/parallel="+strconv.Itoa(parallel), func(b *testing.B) {
				b.ReportAllocs()
				var bare, handoff, run time.Duration
				for b.Loop() {
					bare += clock(func() {
						for i := range tasks {
							if _, err := work(b.Context(), task.Job{Context: task.Context{Task: tasks[i]}}); err != nil {
								b.Fatal(err)
							}
						}
					})
					handoff += clock(func() {
						for range tasks {
							done := make(chan struct{})
							go close(done)
							<-done
						}
					})
					run += clock(func() {
						if _, err := c.runner.Run(b.Context(), tasks); err != nil {
							b.Fatal(err)
						}
					})
				}
				b.ReportMetric(float64(run-bare)/float64(b.N*len(tasks)), "overhead-ns/task")
				b.ReportMetric(float64(run-bare)/float64(handoff), "overhead/goroutine")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func clock(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
