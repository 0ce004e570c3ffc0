package webhook

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	firstDelay = 500 * time.Millisecond
	longDelay  = 30 * time.Second
)

// persist posts the event until an answer comes, the failure is one that
// stays, or the retries or ctx are at their end.
func (a *action) persist(ctx context.Context, event hook.EventName, headers http.Header, line []byte) (hook.Result, error) {
	for attempt := 0; ; attempt++ {
		res, err := a.post(ctx, event, headers, line)
		failed, again := errors.AsType[passing](err)
		if !again {
			return res, err
		}
		if attempt >= a.retries || !wait(ctx, delay(attempt, failed.after)) {
			return res, failed.NoVerdict
		}
	}
}

// delay is how long to wait after an attempt: what the server asks for, else
// twice as long each time, give or take a half, so that hosts that failed
// together do not come back together.
func delay(attempt int, asked time.Duration) time.Duration {
	if asked >= 0 {
		return min(asked, longDelay)
	}
	d := min(firstDelay<<attempt, longDelay)
	return d/2 + rand.N(d)
}

// wait waits for d and reports whether ctx has lasted.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
