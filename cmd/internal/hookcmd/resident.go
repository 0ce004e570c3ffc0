package hookcmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
	"github.com/pawl-dev/pawl/engine"
)

// connectWait is how long a resident engine may take to say hello.
const connectWait = 20 * time.Millisecond

// wanted is the audit log that the caller asks for, "" for none. It is not ok
// if the resident engine cannot know how that is written.
func (h *hookCall) wanted() (ledger string, ok bool) {
	if h.log == nil {
		return "", true
	}
	ledger = h.ledger.Path()
	return ledger, ledger != "" && len(h.ledger.hide) == 0
}

// ask has the resident engine answer. It returns false if there is none, or it
// does not answer, and no hook can have run: this process then answers.
func (h *hookCall) ask(p call.Place, event []byte) (a answer, ok bool) {
	ledger, ok := h.wanted()
	if p.Getenv("PAWL_DAEMON") == "off" || !ok {
		return a, false
	}
	client, err := wire.Dial(wire.Dir(p), wire.Version, connectWait)
	if err != nil {
		return a, false // pawld status tells why
	}
	defer client.Close()
	ctx, stop := context.Background(), func() {}
	a.resident = true
	a.Reply, err = client.Answer(wire.Call{Flags: h.flags, Place: p, Ledger: ledger, Left: time.Until(h.end), Event: event}, func(does engine.SideEffects) {
		if does&engine.Starts == 0 {
			return
		}
		// A signal ends the hooks, as if they were ours.
		during, done := cli.Interruptible(ctx)
		forget := context.AfterFunc(during, client.Interrupt)
		ctx, stop = during, func() { forget(); done() }
	})
	asked := context.Cause(ctx)
	stop()
	lost, _ := errors.AsType[*wire.Lost](err)
	switch {
	case err == nil:
		return a, true
	case asked != nil:
		return h.fail(asked), true
	case lost.Begun:
		return h.fail(fmt.Errorf("pawld was lost while hooks were running, so their answer is not known: %w", lost.Err)), true
	}
	return a, false
}
