package audit

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Line is one line of the log.
type Line struct {
	Record
	Text string // as it stands in the file, without its break
}

// Reader reads a log while others write it. It belongs to one goroutine, and
// holds one line of each file at the most.
type Reader struct {
	path   string
	follow bool
	tails  []*tail // still to be read, the oldest first; never empty

	// Damaged counts the lines that have been skipped: what a killed process
	// or a full disk has left, and what is no record.
	Damaged int
}

// Open returns a Reader for the log at path, from the oldest record on. With
// follow a line at the end whose break is missing is taken for one that is
// being written. The error is fs.ErrNotExist if there is no log.
func Open(path string, follow bool) (*Reader, error) {
	tails, err := openFiles(path)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	if len(tails) == 0 {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return &Reader{path: path, follow: follow, tails: tails}, nil
}

// Close gives the files back.
func (r *Reader) Close() { closeAll(r.tails) }

// Next returns the next record, or io.EOF where none is left.
func (r *Reader) Next() (Line, error) {
	for {
		t := r.tails[0]
		text, err := t.next()
		if err == io.EOF && (len(r.tails) > 1 || !r.follow) {
			text = t.rest() // nobody ends it any more
			if len(r.tails) > 1 {
				t.f.Close()
				r.tails = r.tails[1:]
			} else if text == "" {
				return Line{}, io.EOF
			}
		} else if err != nil {
			return Line{}, err
		}
		if line, ok := r.parse(text); ok {
			return line, nil
		}
	}
}

// More looks, after io.EOF, for files that have been begun since: what is new
// in the one at hand Next finds by itself.
func (r *Reader) More() error {
	now, err := os.Stat(r.path)
	if err == nil && os.SameFile(now, r.tails[0].info) {
		return nil
	}
	tails, err := openFiles(r.path)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	r.tails = append(r.tails, since(tails, r.tails[0])...)
	return nil
}

// Last returns the last n records that wanted is true for, in their order, and
// leaves r at the end. It reads the newest file first, and no more files than
// it must.
func (r *Reader) Last(n int, wanted func(*Record) bool) (last []Line, err error) {
	elder := r.tails[:len(r.tails)-1]
	r.tails = r.tails[len(elder):]
	defer closeAll(elder)
	if last, err = r.ring(n, wanted); err != nil {
		return nil, err
	}
	for i := len(elder) - 1; i >= 0 && len(last) < n; i-- {
		old := Reader{tails: elder[i : i+1]}
		got, err := old.ring(n-len(last), wanted)
		if err != nil {
			return nil, err
		}
		last = append(got, last...)
		r.Damaged += old.Damaged
	}
	return last, nil
}

// ring returns the last n wanted records of what is left.
func (r *Reader) ring(n int, wanted func(*Record) bool) ([]Line, error) {
	var ring []Line
	at := 0 // the oldest, once there are n
	for {
		line, err := r.Next()
		switch {
		case err == io.EOF:
			return slices.Concat(ring[at:], ring[:at]), nil
		case err != nil:
			return nil, err
		case !wanted(&line.Record):
		case len(ring) < n:
			ring = append(ring, line)
		default:
			ring[at] = line
			at = (at + 1) % n
		}
	}
}

// parse reads one line. A blank one is nothing; any other that is no record
// counts as damaged.
func (r *Reader) parse(text string) (Line, bool) {
	if strings.TrimSpace(text) == "" {
		return Line{}, false
	}
	line := Line{Text: text}
	if err := json.Unmarshal([]byte(text), &line.Record); err != nil || line.ID == "" || line.Time.IsZero() {
		r.Damaged++
		return Line{}, false
	}
	return line, true
}
