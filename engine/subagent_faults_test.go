package engine_test

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// B181: hooks of one agent run within that agent and nowhere else; its stop is
// a SubagentStop, and nothing of them runs after it has ended.
func TestHooksOfOneAgent(t *testing.T) {
	eng, log := logged(t, `hooks:
  PreToolUse: [{matcher: Bash, when: 'agent_type == "rev"', hooks: [{type: command, command: 'echo tool >> $T/log'}]}]
  SubagentStop: [{matcher: rev, hooks: [{type: command, command: 'echo stop >> $T/log'}]}]`)
	in := func(agent string) engine.Event {
		ev := bash("ls")
		ev.Agent = agent
		return ev
	}
	ended := func(name engine.EventName, agent string) engine.Event {
		return engine.Event{Name: name, Session: "s", Dir: "/project", Agent: agent, Subject: agent}
	}
	for _, ev := range []engine.Event{
		in(""), in("reviewer"), ended(engine.SubagentStop, "reviewer"),
		in("rev"), ended(engine.SubagentStop, "rev"),
		in(""), ended(engine.Stop, ""),
	} {
		eng.Dispatch(background, ev)
	}
	if log() != "tool stop" {
		t.Errorf("log %q", log())
	}
}

// B184: what a hook makes of the call that starts an agent is what starts, and
// is judged as if the agent had asked for it.
func TestRewriteOfAgentCall(t *testing.T) {
	for to, want := range map[string]hook.Verdict{"Explore": hook.None, "Danger": hook.Deny} {
		eng := mustPolicy(t, strings.ReplaceAll(`
hooks: {PreToolUse: [{matcher: Agent, hooks: [{type: lua, lua: 'return rewrite({prompt = "safe", subagent_type = "TO"})'}]}]}
permissions: {deny: ["Agent(Danger)"]}`, "TO", to))
		for _, name := range []string{"Agent", "Task"} {
			ev := tool(engine.PreToolUse, name, "subagent_type", "Plan")
			dec := eng.Dispatch(background, ev)
			if dec.Verdict != want {
				t.Errorf("%s to %s: %v (%s), want %v", name, to, dec.Verdict, dec.Reason(), want)
			}
			if got := dec.Input.Text("subagent_type"); want == hook.None && got != to {
				t.Errorf("%s starts %q with %+v", name, got, dec.Input)
			}
		}
	}
}
