package audit

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// Options say where and how to write.
type Options struct {
	Path    string        // its directory is made if it is not there; "" is a fault of each Append
	MaxSize int64         // of a file, in bytes; 0 is 10 MiB
	Keep    int           // files beside the current one; 0 is 5, at most 99
	Wait    time.Duration // the most that Append takes; 0 is 2 s
	Redact  *Redactor     // nil is the built-in rules alone
}

// Path returns where the log of a user is whose state is in the directory
// state; "" if that is "".
func Path(state string) string {
	if state == "" {
		return ""
	}
	return filepath.Join(state, "audit", "decisions.jsonl")
}

// ErrClosed is the fault of an Append after Close.
var ErrClosed = errors.New("audit: the log is closed")

var errNoPlace = errors.New("no directory for the log: set HOME or XDG_STATE_HOME, or name a file")

// Log appends records to a file. Any number of goroutines may use it, and any
// number of processes may have one for the same file.
type Log struct {
	opts   Options
	jobs   chan job
	closed chan struct{}
	ended  chan struct{}
	once   sync.Once

	missed  atomic.Int64 // records that are not in the file, since the last that is
	faulted atomic.Bool  // and Append has said why
	stuck   atomic.Bool  // a record takes longer than Options.Wait
}

// job is a record on its way to the goroutine that writes.
type job struct {
	record Record
	done   chan error // has room for the answer
}

// New returns a Log. It touches no file: that is for the first Append, and
// what is wrong with the place is a fault of Append.
func New(o Options) *Log {
	if o.MaxSize <= 0 {
		o.MaxSize = 10 << 20
	}
	if o.Keep <= 0 {
		o.Keep = 5
	}
	o.Keep = min(o.Keep, maxKept)
	if o.Wait <= 0 {
		o.Wait = 2 * time.Second
	}
	if o.Redact == nil {
		o.Redact, _ = NewRedactor() // only own patterns can be wrong
	}
	l := &Log{opts: o, jobs: make(chan job), closed: make(chan struct{}), ended: make(chan struct{})}
	go l.write()
	return l
}

// Append writes r, which it neither keeps nor changes, and returns when the
// line is in the file, or after Options.Wait: once, for while that record is
// stuck others do not wait behind it. An error says why r is not in the file,
// and once only: until a record gets through again, Append fails in silence,
// and the record that does says how many are missing.
func (l *Log) Append(r Record) error {
	wait := l.opts.Wait
	if l.stuck.Load() {
		wait = 0
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	j := job{r.clean(l.opts.Redact), make(chan error, 1)}
	select {
	case l.jobs <- j:
	case <-l.closed:
		return ErrClosed
	case <-timer.C:
		l.missed.Add(1)
		return l.fault(fmt.Errorf("audit: %s: earlier records are still being written after %v", l.opts.Path, l.opts.Wait))
	}
	select {
	case err := <-j.done:
		if err == nil {
			l.faulted.Store(false)
			return nil
		}
		return l.fault(fmt.Errorf("audit: %w", err))
	case <-timer.C:
		l.stuck.Store(true)
		return l.fault(fmt.Errorf("audit: %s: not yet written after %v", l.opts.Path, l.opts.Wait))
	}
}

// fault returns err if it is the first of its row.
func (l *Log) fault(err error) error {
	if l.faulted.Swap(true) {
		return nil
	}
	return err
}

// Close ends the goroutine that writes, and waits for it no longer than
// Options.Wait: the disk may be stuck.
func (l *Log) Close() error {
	l.once.Do(func() { close(l.closed) })
	timer := time.NewTimer(l.opts.Wait)
	defer timer.Stop()
	select {
	case <-l.ended:
		return nil
	case <-timer.C:
		return fmt.Errorf("audit: %s: still being written after %v", l.opts.Path, l.opts.Wait)
	}
}

// write owns the file. It is the only goroutine that a stuck disk can hold.
func (l *Log) write() {
	defer close(l.ended)
	f := file{path: l.opts.Path, maxSize: l.opts.MaxSize, keep: l.opts.Keep}
	defer f.close()
	var ids ids
	for {
		select {
		case <-l.closed:
			return
		case j := <-l.jobs:
			j.done <- l.put(&f, &ids, j.record)
			l.stuck.Store(false)
		}
	}
}

func (l *Log) put(f *file, ids *ids, r Record) error {
	if r.Time.IsZero() {
		r.Time.Time = time.Now()
	}
	missed := l.missed.Load()
	r.ID, r.Missed = ids.next(r.Time.Time), int(missed)
	whole, err := false, errNoPlace
	if l.opts.Path != "" {
		whole, err = f.append(r.line())
	}
	if whole {
		l.missed.Add(-missed)
	} else {
		l.missed.Add(1)
	}
	return err
}
