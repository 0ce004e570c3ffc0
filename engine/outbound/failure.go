package outbound

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Failure is the NoVerdict of a request, begun at began, that ended with err:
// CauseTimeout or CauseCanceled if ctx has ended, else CauseHTTP. doing says
// what it was about, as in "reading the body".
func Failure(ctx context.Context, began time.Time, doing string, err error) *hook.NoVerdict {
	if ctx.Err() != nil {
		n := hook.OutOfTime(ctx, began)
		return hook.Fail(n.Cause, "%s: %w", doing, n.Err)
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // the URL may be a secret
	}
	return hook.Fail(hook.CauseHTTP, "%s: %w", doing, err)
}
