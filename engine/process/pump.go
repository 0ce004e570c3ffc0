package process

import (
	"io"
	"os"
	"sync"
)

// pump reads one output stream to its end, so that the child never blocks,
// and keeps the first bytes of it.
type pump struct {
	r    *os.File
	max  int
	done chan struct{} // closed at the end of the stream

	mu   sync.Mutex
	kept []byte
	lost int64
	shut bool // what comes now is too late
}

func newPump(r *os.File, limit int) *pump {
	p := &pump{r: r, max: limit, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		io.Copy(p, r) // any error is the end of the stream
	}()
	return p
}

// Write keeps b as far as there is room. It never fails.
func (p *pump) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.shut {
		keep := min(len(b), p.max-len(p.kept))
		p.kept = append(p.kept, b[:keep]...)
		p.lost += int64(len(b) - keep)
	}
	return len(b), nil
}

// stop ends the stream and returns what it kept, and how many bytes it did
// not. A writer that is still there gets EPIPE from now on.
func (p *pump) stop() (kept []byte, lost int64) {
	p.mu.Lock()
	p.shut = true
	kept, lost = p.kept, p.lost
	p.mu.Unlock()
	p.r.Close()
	return kept, lost
}

// feed writes data and closes w. The reader may have gone, or never read;
// closing w from elsewhere ends the wait.
func feed(w *os.File, data []byte) {
	w.Write(data) // EPIPE tells nothing: the exit status does
	w.Close()
}
