package standard_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/engine/subagent"
)

// B183: an agent whose stop a model blocks goes on with the reason, and ends
// when the model is content. One that never is lets it go after a bound, which
// each agent has for itself.
func TestBlockedStop(t *testing.T) {
	asked := 0
	url := endpoint(t, func([]message) string {
		if asked++; asked == 2 {
			return `{"ok":true}`
		}
		return `{"ok":false,"reason":"add tests"}`
	})
	eng := open(t, put(t, filepath.Join(t.TempDir(), "pawl.yaml"), declare(url)+
		`hooks: {SubagentStop: [{hooks: [{type: prompt, mode: evaluate, prompt: "Are there tests?"}]}]}`))
	runs := map[string]int{}
	d, err := eng.Subagents(subagent.Config{Session: "s", MaxGoOns: 3, Run: func(_ context.Context, c subagent.Call) (string, error) {
		runs[c.SubagentName]++
		return fmt.Sprintf("run %d told %q", runs[c.SubagentName], c.Feedback), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(context.Background())
	for _, tt := range []struct{ agent, want string }{
		{"rev", `run 2 told "add tests"`},
		{"stubborn", `run 4 told "add tests"`},
		{"another", `run 4 told "add tests"`},
	} {
		res, err := d.Dispatch(t.Context(), subagent.Request{Parent: "main", Agent: tt.agent}).Wait(t.Context())
		if err != nil || res.Text != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.agent, res.Text, err, tt.want)
		}
	}
}
