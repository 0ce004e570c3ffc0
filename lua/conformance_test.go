package lua_test

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/enginetest"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/lua"
)

func TestConformance(t *testing.T) {
	for name, text := range map[string]string{
		"silent":  "return nil",
		"verdict": "return ask('sure?')",
		"fails":   "error('no')",
		"wrong":   "return 7",
		"reads":   "return context(tostring(ev.tool) .. ev.command .. #ev.commands .. ev.host .. tostring(ev.input) .. #ev.paths)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.TestAction(t, func() hook.Action {
				a, diags := lua.New(lua.Options{}).Type().New(hook.Spec{ID: name, Type: lua.TypeName, Timeout: time.Second,
					Fields: []hook.Field{{Name: "lua", Value: text}}}, hook.Deps{})
				if len(diags) > 0 {
					t.Fatal(diags)
				}
				return a
			})
		})
	}
}
