package rules

import (
	"context"

	"github.com/pawl-dev/pawl/engine/hook"
)

type Condition struct{ source string }

func (c *Condition) Eval(ctx context.Context, f *hook.Facts) (hook.Match, error) {
	return hook.Match{Tri: hook.Unknown, Why: "not read"}, nil
}
func (c *Condition) Expr() string                               { return c.source }
func When(t hook.Text, s Scope) (*Condition, []hook.Diagnostic) { return &Condition{t.Value}, nil }
