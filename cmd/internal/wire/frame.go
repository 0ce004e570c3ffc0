package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/pawl-dev/pawl/cmd/internal/call"
)

// Kind says what a frame is.
type Kind byte

// The kinds of frames; doc.go says what they are for.
const (
	KindHello   Kind = 'H'
	KindCall    Kind = 'C'
	KindBegun   Kind = 'B'
	KindReply   Kind = 'R'
	KindDecline Kind = 'D'
	KindStatus  Kind = 'S'
	KindStop    Kind = 'Q'
)

const (
	headLen = 5
	// MaxFrame is the largest payload: an event, and an environment as large
	// as systems take.
	MaxFrame = call.MaxEvent + 8<<20
	// MaxText is the largest hello or decline.
	MaxText = 4 << 10
)

// ErrGarbage: what came is none of the frames that may come.
var ErrGarbage = errors.New("a frame cannot be read")

// Frame returns the bytes of one frame.
func Frame(k Kind, payload []byte) []byte {
	b := append(make([]byte, headLen, headLen+len(payload)), payload...)
	putHead(b, k)
	return b
}

// putHead fills in the head of the frame b, which has room for it.
func putHead(b []byte, k Kind) {
	b[0] = byte(k)
	binary.BigEndian.PutUint32(b[1:], uint32(len(b)-headLen))
}

// ReadHead reads the kind of a frame and the length of its payload.
func ReadHead(r io.Reader) (Kind, int, error) {
	var head [headLen]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, 0, err
	}
	return Kind(head[0]), int(binary.BigEndian.Uint32(head[1:])), nil
}

// ReadBody reads a payload of n bytes. Only what comes takes memory.
func ReadBody(r io.Reader, n int) ([]byte, error) {
	b := make([]byte, 0, min(n, 64<<10))
	for len(b) < n {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		m, err := r.Read(b[len(b):min(cap(b), n)])
		b = b[:len(b)+m]
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil && len(b) < n {
			return nil, err
		}
	}
	return b, nil
}

// readFrame reads one frame with a payload of at most limit bytes.
func readFrame(r io.Reader, limit int) (Kind, []byte, error) {
	k, n, err := ReadHead(r)
	if err == nil && n > limit {
		err = fmt.Errorf("a frame of %d bytes is too large", n)
	}
	if err != nil {
		return k, nil, err
	}
	payload, err := ReadBody(r, n)
	return k, payload, err
}
