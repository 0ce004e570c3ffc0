package policytest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// Options is how tests are run.
type Options struct {
	// Home is the home directory, which has to be that of this process too:
	// what a shell text means by ~ is read from the environment.
	Home string
	// Managed is the directory of the managed layer; "" means that there is none.
	Managed string
	// Engine are options of every engine: hook types beside those that it links.
	Engine []engine.Option
	// Tell is told of each result as soon as it is there; nil is nobody.
	Tell func(Result)
}

// Status is the outcome of a case.
type Status string

const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Errored Status = "error" // it could not be asked
)

// Result is what became of one case, or of a file that cannot be read (Name
// is "" then).
type Result struct {
	File     string // as it was named to Run
	Line     int
	Name     string
	Status   Status
	Problems []string // what was wanted and what came, or what is broken
	// Turns are the events that were decided, the failing one last.
	Turns    []Turn
	Duration time.Duration
}

// Turn is one event and what was decided about it.
type Turn struct {
	Event    hook.Event
	Decision hook.Decision
	Reply    []byte // the decision as one line of JSON
	Root     string // of the workspace
	// Recovery is what was decided about a task or subagent. It is nil of an
	// event; else Event has only a name and Decision only Steps.
	Recovery *Recovery
}

// Recovery is what becomes of a task or subagent.
type Recovery struct {
	Word   string        // none, retry, skip, fail or delegate
	Delay  time.Duration // of retry
	Agent  string        // of delegate
	Reason string        // of fail
}

// Report is the outcome of a run.
type Report struct {
	Results                 []Result // in the order of the files and their cases
	Passed, Failed, Errored int
	Coverage                Coverage
}

// Run runs test files, each case in a world of its own, one after the other.
// The error says that nothing could be run, or that ctx ended; what was run
// until then is in the Report.
func Run(ctx context.Context, files []string, opts Options) (Report, error) {
	temp, err := os.MkdirTemp("", "pawl-test-")
	if err != nil {
		return Report{}, err
	}
	defer os.RemoveAll(temp)
	r := &runner{opts: opts, temp: temp, coverage: newCoverage()}
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return r.finish(), context.Cause(ctx)
		}
		r.file(ctx, file)
	}
	return r.finish(), context.Cause(ctx)
}

// runner is one run.
type runner struct {
	opts     Options
	temp     string // the scratch directories of the worlds are below
	worlds   int
	coverage *coverage
	report   Report
}

func (r *runner) finish() Report {
	r.report.Coverage = r.coverage.sum()
	return r.report
}

func (r *runner) file(ctx context.Context, name string) {
	run := r.yamlFile
	if strings.HasSuffix(name, ".lua") {
		run = r.luaFile
	}
	start := time.Now()
	if err := run(ctx, name); err != nil && ctx.Err() == nil {
		res := Result{File: name, Status: Errored, Problems: []string{err.Error()}, Duration: time.Since(start)}
		if f, ok := err.(*fault); ok {
			res.Line, res.Problems = f.line, []string{f.msg}
		}
		r.tell(res)
	}
}

func (r *runner) tell(res Result) {
	switch res.Status {
	case Passed:
		r.report.Passed++
	case Failed:
		r.report.Failed++
	default:
		r.report.Errored++
	}
	r.report.Results = append(r.report.Results, res)
	if r.opts.Tell != nil {
		r.opts.Tell(res)
	}
}

// fault is something wrong with a test file, at a line of it.
type fault struct {
	line int
	msg  string
}

func (f *fault) Error() string { return fmt.Sprintf("line %d: %s", f.line, f.msg) }

func faultf(line int, format string, args ...any) error {
	return &fault{line, fmt.Sprintf(format, args...)}
}
