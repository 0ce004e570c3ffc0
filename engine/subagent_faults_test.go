package engine_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// B181: hooks in the definition of an agent run within that agent and nowhere
// else; its stop is a SubagentStop, and nothing of them runs after it has
// ended. What is broken there breaks that agent.
func TestHooksOfOneAgent(t *testing.T) {
	dir := t.TempDir()
	definition := "---\nname: rev\nhooks:\n" +
		"  PreToolUse: [{matcher: Bash, when: 'command == \"x\" or command == \"ls\"', hooks: [{type: command, command: 'echo tool >> log'}]}]\n" +
		"  Stop: [{hooks: [{type: command, command: 'echo stop >> log'}]}]\n---\nYou review.\n"
	put(t, filepath.Join(dir, ".claude/agents/rev.md"), definition)
	put(t, filepath.Join(dir, ".claude/agents/odd.md"), "---\nhooks: [\n---\n")
	eng, err := engine.Open(background, dir, engine.WithClaudeSettings(), engine.WithHome(dir), engine.WithManaged(dir), engine.WithTrust(func(string) bool { return true }))
	if err == nil || !strings.Contains(err.Error(), "odd.md:2:8") {
		t.Fatalf("the fault is not told: %v", err)
	}
	in := func(agent string) engine.Event {
		ev := bash("ls")
		ev.Agent = agent
		return ev
	}
	ended := func(name engine.EventName, agent string) engine.Event {
		return engine.Event{Name: name, Session: "s", Dir: dir, Agent: agent, Subject: agent}
	}
	for _, ev := range []engine.Event{
		in(""), in("reviewer"), ended(engine.SubagentStop, "reviewer"),
		in("rev"), ended(engine.SubagentStop, "rev"),
		in(""), ended(engine.Stop, ""),
	} {
		if dec := eng.Dispatch(background, ev); dec.Verdict != engine.None {
			t.Errorf("%s of %q: %v (%s)", ev.Name, ev.Agent, dec.Verdict, dec.Reason())
		}
	}
	if got := strings.Fields(read(t, filepath.Join(dir, "log"))); !slices.Equal(got, []string{"tool", "stop"}) {
		t.Errorf("log %q", got)
	}
	if dec := eng.Dispatch(background, in("odd")); dec.Verdict != hook.Deny || !strings.Contains(dec.Reason(), "odd.md:2:8") {
		t.Errorf("the broken agent: %v (%s)", dec.Verdict, dec.Reason())
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
