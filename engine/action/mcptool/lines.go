package mcptool

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxMessage is the largest message of a server, in bytes.
const maxMessage = 1 << 20

// messages passes on those lines of a server's stdout that are messages.
// Servers print log lines there, though they should not; one such line must
// not end the connection.
type messages struct {
	lines *bufio.Scanner
	rest  []byte // of the line at hand
}

func newMessages(r io.Reader) *messages {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), maxMessage)
	return &messages{lines: lines}
}

// Read reads on to the next message.
func (m *messages) Read(b []byte) (int, error) {
	for len(m.rest) == 0 {
		if !m.lines.Scan() {
			switch err := m.lines.Err(); {
			case errors.Is(err, bufio.ErrTooLong):
				return 0, fmt.Errorf("a line of the server is longer than %d bytes", maxMessage)
			case err != nil:
				return 0, err
			}
			return 0, io.EOF
		}
		if line := bytes.TrimSpace(m.lines.Bytes()); isMessage(line) {
			m.rest = append(bytes.Clone(line), '\n')
		}
	}
	n := copy(b, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// isMessage tells a message from a line of a log, which may be JSON too.
func isMessage(line []byte) bool {
	return len(line) > 0 && (line[0] == '{' || line[0] == '[') && bytes.Contains(line, []byte(`"jsonrpc"`))
}

// Close leaves the output to its owner.
func (m *messages) Close() error { return nil }
