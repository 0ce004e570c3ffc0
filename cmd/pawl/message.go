package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
)

// message is one event as it came.
type message struct {
	dialect dialect.Dialect // that it is written in; the zero one if it is no message
	event   hook.Event      // beside an error at most the name
	notes   []hook.Diagnostic
}

// readMessage reads one event from r, in the dialect called agent, or in the
// one that it looks like if agent is "".
func readMessage(r io.Reader, agent string) (m message, err error) {
	if f, ok := r.(*os.File); ok && terminalWidth(f) > 0 {
		fmt.Fprintln(os.Stderr, "pawl: reading an event; end it with Ctrl-D")
	}
	data, err := readBounded(r)
	if err != nil {
		return m, fmt.Errorf("it cannot be read: %w", err)
	}
	object, err := answer.Parse(data)
	if err != nil {
		return m, fmt.Errorf("not an event: %w", err)
	}
	m.dialect = dialect.Detect(object)
	if d, ok := dialect.Named(agent); ok {
		m.dialect = d
	}
	m.event, m.notes, err = m.dialect.Decode(object)
	if err != nil {
		return m, fmt.Errorf("not an event as %s writes it: %w", m.dialect.Name, err)
	}
	return m, nil
}

// dispatch asks the engine, and adds to the decision what was odd about the
// message and its place. All of it is for explain; a person is told when a
// session starts, and of an error wherever it has kept hooks from running.
func (m *message) dispatch(ctx context.Context, eng *engine.Engine) hook.Decision {
	dec := eng.Dispatch(ctx, m.event)
	gated := slices.ContainsFunc(dec.Steps, func(s hook.Step) bool { return s.Status == hook.Gated })
	for _, n := range m.notes {
		dec.Steps = append(dec.Steps, hook.Step{
			Hook: "event", Type: "dialect", Source: hook.Source{Layer: hook.Builtin},
			Status: hook.Problem, Detail: n.Error(),
		})
		if dec.Event == hook.SessionStart || n.Severity == hook.Error && gated {
			dec.Notices = append(dec.Notices, hook.Printable("pawl: "+n.Error()))
		}
	}
	return dec
}

// open makes the engine for m, and notes what is odd about its place. root is
// that of the workspace.
func (m *message) open(ctx context.Context, c *console, p *policy, extra ...engine.Option) (eng *engine.Engine, root string, err error) {
	root, unread := c.workspace(m.event.Dir)
	eng, err = p.open(ctx, c, root, extra...)
	if c.trustFault != nil {
		m.notes = append(m.notes, hook.Diagnostic{Severity: hook.Error, Message: c.trustFault.Error()})
	}
	if len(p.files) == 0 {
		m.notes = append(m.notes, notRead(root, unread)...)
	}
	return eng, root, err
}
