package engine

import (
	"context"
	"fmt"

	"github.com/pawl-dev/pawl/engine/hook"
)

// function is a hook that the host gave with WithHook.
type function struct {
	event   hook.EventName
	matcher string
	call    func(context.Context, hook.Call) (hook.Result, error)
}

// spec is the entry that f would have in a settings file.
func (f function) spec(i int) hook.Spec {
	return hook.Spec{
		ID:      fmt.Sprintf("session.%s[%d]", f.event, i),
		Event:   f.event,
		Source:  hook.Source{Layer: hook.Session},
		Type:    "function",
		Matcher: hook.Text{Value: f.matcher},
	}
}

func (f function) kind() hook.Type {
	return hook.Type{Blocks: true, New: func(hook.Spec, hook.Deps) (hook.Action, []hook.Diagnostic) {
		return hook.ActionFunc(f.call), nil
	}}
}
