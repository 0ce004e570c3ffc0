package process

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// DefaultMaxOutput is the cap of each output stream, in bytes.
const DefaultMaxOutput = 8 << 20

const (
	// outputGrace is how long processes that outlive the leader may still
	// write: the end of a pipeline that the shell does not wait for.
	outputGrace = 300 * time.Millisecond
	// killGrace is how long a killed group may take to be gone. A process in
	// an uninterruptible system call takes longer and is left to reap.
	killGrace = 100 * time.Millisecond
)

// Command is what to run. Run does not change it.
type Command struct {
	Argv      []string // the program, looked up on the PATH of Env, and its arguments
	Dir       string   // working directory; "" is that of this process
	Env       []string // NAME=value; nil is Environ(os.Environ(), nil)
	Stdin     []byte   // all that the child can read
	MaxOutput int      // bytes of each output stream; 0 is DefaultMaxOutput
}

// Output is what a child left behind.
type Output struct {
	Stdout, Stderr                   []byte
	StdoutTruncated, StderrTruncated bool
	Dropped                          int64  // bytes of both streams beyond their caps
	Code                             int    // exit code; -1 after a signal
	Signal                           string // what killed it, in words: "killed"
	// Left: something that the child started has left its group and goes on.
	Left bool
}

// Run starts c, feeds it and waits for its end. Any exit code is a success.
//
// The error is a *hook.NoVerdict: CauseSpawn if c did not start, CauseTimeout
// or CauseCanceled if ctx ended first, CauseError if the system hid how the
// child ended. Output then holds what was read so far, and code -1.
//
// Run may be called by any number of goroutines at once.
func Run(ctx context.Context, c Command) (Output, error) {
	began := time.Now()
	if ctx.Err() != nil {
		return Output{Code: -1}, hook.OutOfTime(ctx, began)
	}
	started, err := start(c)
	if err != nil {
		return Output{Code: -1}, err
	}
	p := serve(started, c)
	var failure error
	select {
	case <-p.exited:
	case <-ctx.Done():
		if !ready(p.exited) {
			failure = hook.OutOfTime(ctx, began)
		}
	}
	if failure == nil {
		await(ctx.Done(), outputGrace, p.out.done, p.err.done)
	}
	killGroup(p.cmd.Process)
	left := p.tether.hunt()
	await(nil, killGrace, p.exited, p.out.done, p.err.done)
	p.tether.cut()
	out := p.collect()
	out.Left = left
	state, err := p.reap()
	switch {
	case failure != nil:
		return out, failure
	case err != nil:
		return out, hook.Fail(hook.CauseError, "cannot tell how the process ended: %w", err)
	}
	out.Code, out.Signal = status(state)
	return out, nil
}

// child is a leader with the goroutines that serve its pipes.
type child struct {
	*leader
	out, err *pump
}

// serve feeds the leader and reads what it prints.
func serve(p *leader, c Command) *child {
	if c.MaxOutput <= 0 {
		c.MaxOutput = DefaultMaxOutput
	}
	go feed(p.stdin, c.Stdin)
	return &child{p, newPump(p.stdout, c.MaxOutput), newPump(p.stderr, c.MaxOutput)}
}

// collect cuts the pipes and returns what came through them.
func (p *child) collect() Output {
	p.stdin.Close()
	out := Output{Code: -1}
	var lostOut, lostErr int64
	out.Stdout, lostOut = p.out.stop()
	out.Stderr, lostErr = p.err.stop()
	out.StdoutTruncated, out.StderrTruncated = lostOut > 0, lostErr > 0
	out.Dropped = lostOut + lostErr
	return out
}

// await waits until all of events are closed, at most for limit and not
// beyond stop.
func await(stop <-chan struct{}, limit time.Duration, events ...<-chan struct{}) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for _, e := range events {
		select {
		case <-e:
		case <-timer.C:
			return
		case <-stop:
			return
		}
	}
}

func ready(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
