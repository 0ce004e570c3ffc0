package engine

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// leftMost is how many texts of background hooks wait for one session. An
// agent can make any number of events, and it may never come back.
const leftMost = 16

// left is what background hooks of a session have to say once they are at
// their end: a wake and context for the agent, notices for the person.
type left struct {
	wakes, context, notices []string
	more                    int // that found no room
}

// leftKey is where it waits.
func leftKey(session string) hook.StateKey {
	return hook.StateKey{Session: session, Kind: "left"}
}

// add takes over what is not there yet, as far as there is room.
func (l *left) add(o left) {
	from := o.kinds()
	for i, to := range l.kinds() {
		for _, text := range *from[i].texts {
			switch {
			case text == "" || slices.Contains(*to.texts, text):
			case l.len() < leftMost:
				*to.texts = append(*to.texts, text)
			default:
				l.more++
			}
		}
	}
}

func (l *left) len() int { return len(l.wakes) + len(l.context) + len(l.notices) }

type leftKind struct {
	mark  byte
	texts *[]string
}

func (l *left) kinds() [3]leftKind {
	return [...]leftKind{{'w', &l.wakes}, {'c', &l.context}, {'n', &l.notices}}
}

// bytes are l with a line for each text; nil if there is nothing.
func (l *left) bytes() (b []byte) {
	line := func(mark byte, text string) { b = append(strconv.AppendQuote(append(b, mark), text), '\n') }
	for _, k := range l.kinds() {
		for _, text := range *k.texts {
			line(k.mark, text)
		}
	}
	if l.more > 0 {
		line('m', strconv.Itoa(l.more))
	}
	return b
}

// readLeft reads what bytes has written; a line that it has not is no text.
func readLeft(b []byte) (l left) {
	for line := range strings.Lines(string(b)) {
		text, err := strconv.Unquote(strings.TrimSuffix(line[1:], "\n"))
		if err != nil {
			continue
		}
		for _, k := range l.kinds() {
			if k.mark == line[0] {
				*k.texts = append(*k.texts, text)
			}
		}
		if line[0] == 'm' {
			l.more, _ = strconv.Atoi(text)
		}
	}
	return l
}

// leave keeps l for the session's next answer that can tell it.
func (e *Engine) leave(session string, l left) {
	for _, k := range l.kinds() {
		for i, text := range *k.texts {
			(*k.texts)[i] = e.spill(text)
		}
	}
	err := e.cfg.state.Update(context.Background(), leftKey(session), 0, func(old []byte) []byte {
		all := readLeft(old)
		all.add(l)
		return all.bytes()
	})
	if err != nil {
		e.cfg.log.Error("the result of a background hook could not be kept", "session", session, "error", err)
	}
}

// tellLeft puts what waits for the session into the decision. An event on
// which a host tells the agent nothing, or another agent, would lose it. Context
// waits while the agent stops, for it would go on because of it: only a wake is
// to do that, and wakes are counted.
func (d *dispatch) tellLeft(dec *hook.Decision) {
	if !d.snap.leaves || !d.info.Has(hook.CanTell) {
		return
	}
	var l left
	err := d.eng.cfg.state.Update(d.ctx, leftKey(d.facts.Event.Session), 0, func(old []byte) []byte {
		l = readLeft(old)
		if !isStop(dec.Event) {
			return nil
		}
		stays := left{context: l.context}
		l.context = nil
		return stays.bytes()
	})
	if err != nil {
		dec.Notices = append(dec.Notices, fmt.Sprintf("pawl: a waiting background result could not be read: %v", err))
		return
	}
	dec.Context = append(append(dec.Context, l.wakes...), l.context...)
	dec.Notices = append(dec.Notices, l.notices...)
	if l.more > 0 {
		dec.Notices = append(dec.Notices, fmt.Sprintf("pawl: %d more results of background hooks were dropped: at most %d wait", l.more, leftMost))
	}
}
