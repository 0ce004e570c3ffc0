package enginetest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

// namedCall is a call with what is special about it.
type namedCall struct {
	name string
	hook.Call
}

// calls are the events that an action of any type has to live with.
func calls() []namedCall {
	large := strings.Repeat("x", 256<<10)
	unknown := plainCall()
	unknown.Matched = hook.Match{Tri: hook.Unknown, Why: `"$X" is not a literal`}
	unknown.Final = true
	return []namedCall{
		{"a tool call", plainCall()},
		{"a text not told", unknown},
		{"an event of nothing", callOf(hook.Event{})},
		{"an unknown event", callOf(hook.Event{Name: "NoSuchEvent", Session: "s", Subject: "?"})},
		{"the end of a turn", callOf(hook.Event{Name: hook.Stop, Session: "s", Message: "done", StopActive: true})},
		{"a large input", callOf(hook.Event{Name: hook.PreToolUse, Tool: "Write", Input: object("file_path", "/a", "content", large)})},
		{"a large message", callOf(hook.Event{Name: hook.Stop, Message: large, Dir: "/none/" + large[:5000]})},
		{"odd texts", callOf(hook.Event{
			Name: hook.PreToolUse, Session: "\x00\xff'\"$(:)", Dir: "not/absolute\n", Tool: "\u202e", HostTool: "`",
			Input: object("event", "Stop", "a=b", nil, "\u0000", []any{1, map[string]any{}}),
		})},
	}
}

// plainCall is a usual call of a shell tool.
func plainCall() hook.Call {
	return callOf(hook.Event{
		Name: hook.PreToolUse, Session: "abc123", Dir: "/", Tool: "Bash",
		Input: object("command", "ls -la"), Mode: "default",
		Time: time.Date(2026, 5, 29, 10, 30, 0, 0, time.UTC),
		More: object("transcript_path", "/tmp/t.jsonl", "tool_use_id", "t1"),
	})
}

// callOf is a call on ev with facts that know nothing beyond it.
func callOf(ev hook.Event) hook.Call {
	return hook.Call{
		Facts: hook.NewFacts(ev, &hook.Finder{RealDir: func(*hook.Facts) string { return ev.Dir }}),
		Hook: &hook.Spec{
			ID: "hooks.Test[0].hooks[0]", Event: ev.Name, Type: "test",
			Source: hook.Source{Layer: hook.Project, File: "/pawl.yaml", Dir: "/"},
			Pos:    hook.Position{File: "/pawl.yaml", Line: 1, Col: 1},
		},
		Matched: hook.Match{Tri: hook.Yes},
	}
}

// object is an object of the suite's own; the pairs are known to be good.
func object(pairs ...any) hook.Object {
	o, err := answer.Object(pairs...)
	if err != nil {
		panic(err)
	}
	return o
}

// fingerprint changes when anything changes that c points to.
func fingerprint(c hook.Call) string {
	ev := c.Facts.Event
	h := sha256.New()
	for _, o := range []hook.Object{ev.Input, ev.More} {
		fmt.Fprintf(h, "%s\n%v\n", o.Raw(), o.View())
		for _, m := range o.Members() {
			fmt.Fprintf(h, "%q %s\n", m.Name, m.Raw)
		}
	}
	ev.Input, ev.More = hook.Object{}, hook.Object{}
	fmt.Fprintf(h, "%#v %#v %#v", ev, *c.Hook, c.Matched)
	return hex.EncodeToString(h.Sum(nil))
}
