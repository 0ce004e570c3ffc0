package model

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/pawl-dev/pawl/engine/outbound"
)

const (
	limitedMost = 3                      // times that a server may ask to wait
	waitUnsaid  = time.Second            // where it does not say for how long
	waitFailed  = 250 * time.Millisecond // before a server that failed is asked again
)

// tries counts why a request was sent again.
type tries struct{ limited, failed int }

// next tells whether a request is to be sent again after the answer a, and
// when.
func (t *tries) next(a received) (wait time.Duration, again bool) {
	count, most, unsaid := &t.failed, 1, waitFailed
	switch {
	case a.status == http.StatusTooManyRequests:
		count, most, unsaid = &t.limited, limitedMost, waitUnsaid
	case a.status/100 != 5:
		return 0, false
	}
	if wait = outbound.RetryAfter(a.header); wait < 0 {
		wait = unsaid
	}
	*count++
	return wait, *count <= most
}

// pause waits, unless ctx ends before the time is over: then it says so at
// once.
func pause(ctx context.Context, wait time.Duration) error {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait {
		return fmt.Errorf("it asks to wait %v, and there is less time left", wait.Round(time.Millisecond))
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
