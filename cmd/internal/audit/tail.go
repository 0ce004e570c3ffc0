package audit

import (
	"bufio"
	"io"
	"os"
	"strings"
)

// maxRead is the longest line that is read, in bytes; what is longer was not
// written by this package.
const maxRead = 4 * MaxLine

// tail reads the lines of one file, which may grow meanwhile. It holds no more
// than maxRead bytes.
type tail struct {
	f    *os.File
	info os.FileInfo // when it was opened
	r    *bufio.Reader

	part []byte // of a line whose end is not there yet
	long bool   // that line is too long: its bytes are dropped
}

func openTail(path string) (*tail, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &tail{f: f, info: info, r: bufio.NewReaderSize(f, maxRead)}, nil
}

func (t *tail) same(o *tail) bool { return os.SameFile(t.info, o.info) }

// next returns the next line without its break; one that is too long comes as
// "?". At io.EOF no whole line is left, but there may be later.
func (t *tail) next() (string, error) {
	for {
		chunk, err := t.r.ReadSlice('\n')
		if t.long = t.long || len(t.part)+len(chunk) > maxRead; t.long {
			t.part = t.part[:0]
		} else {
			t.part = append(t.part, chunk...)
		}
		switch err {
		case nil:
			return strings.TrimSuffix(t.rest(), "\n"), nil
		case bufio.ErrBufferFull:
		case io.EOF:
			return "", t.restart()
		default:
			return "", err
		}
	}
}

// rest returns and forgets what has been read of a line.
func (t *tail) rest() string {
	text := string(t.part)
	if t.long {
		text = "?"
	}
	t.part, t.long = t.part[:0], false
	return text
}

// restart goes back to the start if the file has been emptied. It returns
// io.EOF.
func (t *tail) restart() error {
	at, err := t.f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if now, err := t.f.Stat(); err == nil && now.Size() < at {
		if _, err := t.f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		t.r.Reset(t.f)
		t.rest()
	}
	return io.EOF
}
