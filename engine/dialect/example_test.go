package dialect_test

import (
	"fmt"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
)

func Example() {
	message, _ := answer.Parse([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -r /srv"}}`))
	agent := dialect.Detect(message)
	event, _, err := agent.Decode(message)
	if err != nil {
		fmt.Println(err)
		return
	}
	reply := agent.Encode(event, hook.Decision{Verdict: hook.Deny, Reasons: []string{"use trash-put"}})
	fmt.Printf("%s %s\n%s", agent.Name, event.Tool, reply.Stdout)
	// Output:
	// claude Bash
	// {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"use trash-put"}}
}
