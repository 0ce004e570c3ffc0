package engine

import (
	"testing"

	"github.com/pawl-dev/pawl/engine/enginetest"
	"github.com/pawl-dev/pawl/engine/hook"
)

// The types that are written here keep the contract of those that are not.
func TestConformance(t *testing.T) {
	entry := func(pairs ...any) hook.Spec {
		s := hook.Spec{ID: "hooks.PreToolUse[0].hooks[0]", Event: hook.PreToolUse, Matcher: hook.Text{Value: "*"}}
		for i := 0; i < len(pairs); i += 2 {
			s.Fields = append(s.Fields, hook.Field{Name: pairs[i].(string), Value: pairs[i+1]})
		}
		return s
	}
	for name, kind := range map[string]struct {
		make func(hook.Spec, hook.Deps) (hook.Action, []hook.Diagnostic)
		spec hook.Spec
	}{
		"permission": {newPermission, entry("decision", "deny", "reason", "no ${tool_input.command}")},
		"expr":       {newExpr, entry("decision", "ask")},
		"prompt":     {newPrompt, entry("prompt", "be careful")},
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.TestAction(t, func() hook.Action {
				a, diags := kind.make(kind.spec, hook.Deps{})
				if len(diags) > 0 {
					t.Fatal(diags)
				}
				return a
			})
		})
	}
}
