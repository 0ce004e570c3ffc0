package engine_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/task"
)

// BenchmarkTasks runs a DAG of 10,000 tasks through an engine, of whose hooks,
// sections and callbacks none fits, beside the bare funcs, and reports what a
// task costs more than its func: in ns, and as a multiple of what it costs to
// start a goroutine and wait for it.
func BenchmarkTasks(b *testing.B) {
	tasks := make([]task.Task, 10_000)
	for i := range tasks {
		tasks[i] = task.Task{ID: fmt.Sprint("task-", i), Subject: fmt.Sprint("task number ", i)}
		if i >= 10 {
			tasks[i].DependsOn = []string{tasks[i-10].ID, tasks[i-i%10-1].ID}
		}
	}
	file := b.TempDir() + "/pawl.yaml"
	if err := os.WriteFile(file, []byte(`
rules:
  - {on: TaskCreated, when: subject contains "prod", decision: deny, reason: closed}
hooks:
  PreToolUse:
    - {matcher: Bash, hooks: [{type: permission, decision: ask}]}
tasks:
  - {match: ^fetch, retry: {max: 3}}
  - {match: publish|ship, skip: true, timeout: 1m}
`), 0o600); err != nil {
		b.Fatal(err)
	}
	eng, err := engine.Open(b.Context(), file, engine.WithManaged("/nonexistent"), engine.WithTaskHooks(task.Hooks{
		OnFailure: func(context.Context, task.Context, error) task.Decision { return nil }}))
	if err != nil {
		b.Fatal(err)
	}
	defer eng.Close(b.Context())
	work := func(_ context.Context, job task.Job) (string, error) { return job.Task.ID, nil }
	for _, parallel := range []int{1, 5} {
		b.Run(fmt.Sprint("parallel=", parallel), func(b *testing.B) {
			b.ReportAllocs()
			r := eng.Tasks(task.Runner{Session: "s", Dir: "/", Parallel: parallel, Execute: work})
			var bare, handoff, run time.Duration
			for b.Loop() {
				start := time.Now()
				for i := range tasks {
					_, _ = work(b.Context(), task.Job{Context: task.Context{Task: tasks[i]}})
				}
				bare += time.Since(start)
				start = time.Now()
				for range tasks {
					done := make(chan struct{})
					go close(done)
					<-done
				}
				handoff += time.Since(start)
				start = time.Now()
				if _, err := r.Run(b.Context(), tasks); err != nil {
					b.Fatal(err)
				}
				run += time.Since(start)
			}
			b.ReportMetric(float64(run-bare)/float64(b.N*len(tasks)), "overhead-ns/task")
			b.ReportMetric(float64(run-bare)/float64(handoff), "overhead/goroutine")
			b.ReportMetric(0, "ns/op")
		})
	}
}
