package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// interruptible returns ctx, ended by what asks this process to end. Its
// cause then says so; whoever runs hooks waits for them to be killed, because
// they are in sessions of their own and hear nothing of the signal.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	asked := make(chan os.Signal, 1)
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		if !signal.Ignored(s) { // nohup
			signal.Notify(asked, s)
		}
	}
	go func() {
		select {
		case s := <-asked:
			cancel(interrupted{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(asked)
		cancel(nil)
	}
}

// interrupted is the cause of a context that a signal ended.
type interrupted struct{ signal os.Signal }

func (i interrupted) Error() string {
	return fmt.Sprintf("ended by a signal (%v) before there was a decision", i.signal)
}
