package main

import (
	"context"
	"fmt"
	"io"
	"os"

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
// message.
func (m *message) dispatch(ctx context.Context, eng *engine.Engine) hook.Decision {
	dec := eng.Dispatch(ctx, m.event)
	for _, n := range m.notes {
		dec.Steps = append(dec.Steps, hook.Step{
			Hook: "event", Type: "dialect", Source: hook.Source{Layer: hook.Builtin},
			Status: hook.Problem, Detail: n.Error(),
		})
	}
	return dec
}
