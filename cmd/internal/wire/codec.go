package wire

import (
	"encoding/binary"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/engine/dialect"
)

// Call is one hook call.
type Call struct {
	Flags call.Flags
	Place call.Place
	Left  time.Duration // for the answer
	Event []byte
}

// maxTexts is how many texts a list may have: variables, mostly.
const maxTexts = 1 << 16

// The flags of a call, as bits.
const (
	bitJSON = 1 << iota
	bitFailOpen
	bitClaude
)

func (c Call) encode() []byte {
	bits := bit(c.Flags.JSON, bitJSON) | bit(c.Flags.FailOpen, bitFailOpen) | bit(c.Flags.Claude, bitClaude)
	size := 64 + len(c.Event)
	for _, s := range c.Place.Env {
		size += len(s) + 3
	}
	w := make(writer, 0, size)
	w.number(bits)
	w.number(uint64(max(c.Left, 0)))
	w.text(c.Flags.Agent)
	w.texts(c.Flags.Files)
	w.text(c.Place.Dir)
	w.texts(c.Place.Env)
	w.text(string(c.Event))
	return w
}

func bit(on bool, b uint64) uint64 {
	if on {
		return b
	}
	return 0
}

// DecodeCall reads a call.
func DecodeCall(b []byte) (c Call, err error) {
	r := reader{b: b}
	bits := r.number()
	c.Left = time.Duration(min(r.number(), uint64(24*time.Hour)))
	c.Flags.JSON, c.Flags.FailOpen, c.Flags.Claude = bits&bitJSON != 0, bits&bitFailOpen != 0, bits&bitClaude != 0
	c.Flags.Agent = r.text()
	c.Flags.Files = r.texts()
	c.Place.Dir = r.text()
	c.Place.Env = append([]string{}, r.texts()...) // not nil: that would be ours
	c.Event = r.bytes()
	return c, r.end()
}

// EncodeReply is the payload of a reply.
func EncodeReply(d dialect.Reply) []byte {
	w := make(writer, 0, 16+len(d.Stdout)+len(d.Stderr))
	w.number(uint64(d.Code))
	w.text(string(d.Stdout))
	w.text(string(d.Stderr))
	return w
}

func decodeReply(b []byte) (dialect.Reply, error) {
	r := reader{b: b}
	d := dialect.Reply{Code: int(min(r.number(), 256))}
	d.Stdout, d.Stderr = r.bytes(), r.bytes()
	if d.Code > 255 {
		r.bad = true
	}
	return d, r.end()
}

// writer puts numbers and texts one after the other.
type writer []byte

func (w *writer) number(n uint64) { *w = binary.AppendUvarint(*w, n) }

func (w *writer) text(s string) {
	w.number(uint64(len(s)))
	*w = append(*w, s...)
}

func (w *writer) texts(list []string) {
	w.number(uint64(len(list)))
	for _, s := range list {
		w.text(s)
	}
}

// reader takes them off again. After something that cannot be read all is
// empty.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[size:]
	return n
}

func (r *reader) bytes() []byte {
	n := r.number()
	if n > uint64(len(r.b)) {
		r.b, r.bad = nil, true
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) text() string { return string(r.bytes()) }

func (r *reader) texts() []string {
	n := r.number()
	if n > maxTexts {
		r.b, r.bad = nil, true
		return nil
	}
	list := make([]string, 0, n)
	for range n {
		list = append(list, r.text())
	}
	return list
}

func (r *reader) end() error {
	if r.bad || len(r.b) > 0 {
		return ErrGarbage
	}
	return nil
}
