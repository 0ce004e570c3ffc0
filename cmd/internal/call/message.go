package call

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
)

// MaxEvent is the size of the largest event, in bytes.
const MaxEvent = 64 << 20

// ReadEvent reads r to its end, or fails where that is beyond MaxEvent.
func ReadEvent(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxEvent+1))
	if err == nil && len(data) > MaxEvent {
		err = errors.New("the event is larger than 64 MiB")
	}
	if err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", err)
	}
	return data, nil
}

// Message is one event as it came.
type Message struct {
	Dialect dialect.Dialect // that it is written in; the zero one if it is no message
	Event   hook.Event      // beside an error at most the name
	Notes   []hook.Diagnostic
}

// ReadMessage reads one event in the dialect called agent, or in the one that
// it looks like if agent is "".
func ReadMessage(data []byte, agent string) (m Message, err error) {
	object, err := answer.Parse(data)
	if err != nil {
		return m, fmt.Errorf("not an event: %w", err)
	}
	m.Dialect = dialect.Detect(object)
	if d, ok := dialect.Named(agent); ok {
		m.Dialect = d
	}
	m.Event, m.Notes, err = m.Dialect.Decode(object)
	if err != nil {
		return m, fmt.Errorf("not an event as %s writes it: %w", m.Dialect.Name, err)
	}
	return m, nil
}

// errNowhere: the policy of another place would judge, or none.
var errNowhere = errors.New("it cannot be told where the agent works: cwd of the event must be an absolute path, or this process be in a directory")

// Setting finds what the engine for m is made of, and notes what is odd about
// its place. The root is that of the workspace, which find finds.
func (m *Message) Setting(p Place, policy Policy, find func(p Place, dir string) (root string, unread []string)) (Setting, error) {
	root, unread := find(p, m.Event.Dir)
	if !filepath.IsAbs(root) {
		return Setting{}, errNowhere
	}
	if len(policy.Files) == 0 {
		m.Notes = append(m.Notes, NotRead(root, unread)...)
	}
	return p.Setting(root, policy)
}

// Dispatch asks the engine, and adds to the decision what was odd about the
// message and its place. All of it is for explain; a person is told when a
// session starts, and of an error wherever it has kept hooks from running.
func (m *Message) Dispatch(ctx context.Context, eng *Engine) hook.Decision {
	notes := m.Notes
	if err := eng.TrustFault(); err != nil {
		notes = append(slices.Clip(notes), hook.Diagnostic{Severity: hook.Error, Message: err.Error()})
	}
	dec := eng.Dispatch(ctx, m.Event)
	gated := slices.ContainsFunc(dec.Steps, func(s hook.Step) bool { return s.Status == hook.Gated })
	for _, n := range notes {
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
