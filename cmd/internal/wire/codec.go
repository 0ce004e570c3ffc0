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
	// Ledger is the audit log that the call must be recorded in, "" if the
	// caller asks for no record.
	Ledger string
	Left   time.Duration // for the answer
	Event  []byte
}

// maxTexts is how many texts a list may have: variables, mostly.
const maxTexts = 1 << 16

// The flags of a call, as bits.
const (
	bitJSON = 1 << iota
	bitFailOpen
	bitClaude
)

// CallFrame is the frame of a call. Its payload is the length of all but the
// event in 4 bytes, that, and the event.
func CallFrame(c Call) []byte {
	size := 256 + len(c.Event)
	for _, s := range c.Place.Env {
		size += len(s) + 3
	}
	w := make(writer, headLen+4, size) // room for two lengths
	w.number(bit(c.Flags.JSON, bitJSON) | bit(c.Flags.FailOpen, bitFailOpen) | bit(c.Flags.Claude, bitClaude))
	w.number(uint64(max(c.Left, 0)))
	w.text(c.Flags.Agent)
	w.text(c.Ledger)
	w.texts(c.Flags.Files)
	w.text(c.Place.Dir)
	w.texts(c.Place.Env)
	binary.BigEndian.PutUint32(w[headLen:], uint32(len(w)-headLen-4))
	w = append(w, c.Event...)
	putHead(w, KindCall)
	return w
}

func bit(on bool, b uint64) uint64 {
	if on {
		return b
	}
	return 0
}

// DecodeCall reads the payload of a call, which the call keeps.
func DecodeCall(b []byte) (c Call, err error) {
	if len(b) < 4 || uint64(binary.BigEndian.Uint32(b)) > uint64(len(b)-4) {
		return c, ErrGarbage
	}
	end := 4 + int(binary.BigEndian.Uint32(b))
	c.Event = b[end:]
	r := reader{s: string(b[4:end])}
	bits := r.number()
	c.Left = time.Duration(min(r.number(), uint64(24*time.Hour)))
	c.Flags.JSON, c.Flags.FailOpen, c.Flags.Claude = bits&bitJSON != 0, bits&bitFailOpen != 0, bits&bitClaude != 0
	c.Flags.Agent = r.text()
	c.Ledger = r.text()
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
