package model

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
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
	wait, said := retryAfter(a.header, time.Now())
	switch {
	case a.status == http.StatusTooManyRequests:
		if !said {
			wait = waitUnsaid
		}
		t.limited++
		return wait, t.limited <= limitedMost
	case a.status/100 == 5:
		if !said {
			wait = waitFailed
		}
		t.failed++
		return wait, t.failed <= 1
	}
	return 0, false
}

// retryAfter reads seconds or a date.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	text := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(text, 64); err == nil && s >= 0 {
		return time.Duration(min(s, 1e6) * float64(time.Second)), true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
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
