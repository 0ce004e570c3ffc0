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

// EncodeCall is the payload of a call: the length of all but the event, that,
// and the event.
func EncodeCall(c Call) []byte {
	size := 64
	for _, s := range c.Place.Env {
		size += len(s) + 3
	}
	head := make(writer, 0, size)
	head.number(bit(c.Flags.JSON, bitJSON) | bit(c.Flags.FailOpen, bitFailOpen) | bit(c.Flags.Claude, bitClaude))
	head.number(uint64(max(c.Left, 0)))
	head.text(c.Flags.Agent)
	head.texts(c.Flags.Files)
	head.text(c.Place.Dir)
	head.texts(c.Place.Env)
	w := make(writer, 0, binary.MaxVarintLen64+len(head)+len(c.Event))
	w.text(string(head))
	return append(w, c.Event...)
}

func bit(on bool, b uint64) uint64 {
	if on {
		return b
	}
	return 0
}

// DecodeCall reads a call, which keeps b.
func DecodeCall(b []byte) (c Call, err error) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return c, ErrGarbage
	}
	c.Event = b[size+int(n):]
	r := reader{s: string(b[size : size+int(n)])}
	bits := r.number()
	c.Left = time.Duration(min(r.number(), uint64(24*time.Hour)))
	c.Flags.JSON, c.Flags.FailOpen, c.Flags.Claude = bits&bitJSON != 0, bits&bitFailOpen != 0, bits&bitClaude != 0
	c.Flags.Agent = r.text()
	c.Flags.Files = r.texts()
	c.Place.Dir = r.text()
	c.Place.Env = r.texts()
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
	r := reader{s: string(b)}
	code := r.number()
	d := dialect.Reply{Code: int(min(code, 255)), Stdout: []byte(r.text()), Stderr: []byte(r.text())}
	if code > 255 {
		return d, ErrGarbage
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

// reader takes them off again; texts are parts of s. After something that
// cannot be read all is empty.
type reader struct {
	s   string
	bad bool
}

func (r *reader) fail() { r.s, r.bad = "", true }

func (r *reader) number() (n uint64) {
	for shift := 0; shift < 64 && len(r.s) > 0; shift += 7 {
		b := r.s[0]
		r.s = r.s[1:]
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	r.fail()
	return 0
}

func (r *reader) text() string {
	n := r.number()
	if n > uint64(len(r.s)) {
		r.fail()
		return ""
	}
	text := r.s[:n]
	r.s = r.s[n:]
	return text
}

// texts is never nil: no variables are not those of another process.
func (r *reader) texts() []string {
	n := r.number()
	if n > maxTexts {
		r.fail()
		n = 0
	}
	list := make([]string, 0, n)
	for range n {
		list = append(list, r.text())
	}
	return list
}

func (r *reader) end() error {
	if r.bad || r.s != "" {
		return ErrGarbage
	}
	return nil
}
