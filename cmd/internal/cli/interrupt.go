package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Interruptible returns ctx, ended by what asks this process to end. Its
// cause then says so; whoever runs hooks waits for them to be killed, because
// they are in sessions of their own and hear nothing of the signal.
func Interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
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
			cancel(Interrupted{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(asked)
		cancel(nil)
	}
}

// Interrupted is the cause of a context that a signal ended.
type Interrupted struct{ Signal os.Signal }

func (i Interrupted) Error() string {
	return fmt.Sprintf("ended by a signal (%v) before there was a decision", i.Signal)
}
