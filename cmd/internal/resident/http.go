package resident

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
)

const (
	// httpLeft is how long a call by http may take: below the timeout of agents.
	httpLeft = 50 * time.Second
	// drainMost is how much is read of an event that is not taken.
	drainMost = 1 << 30
)

// web is where http hooks of agents are answered.
type web struct {
	server   *server
	listener net.Listener
	token    string
	place    call.Place
	http     http.Server
}

// listenHTTP listens if it is wanted; nil if not.
func (s *server) listenHTTP() (*web, error) {
	if s.HTTP == "" {
		return nil, nil
	}
	host, _, err := net.SplitHostPort(s.HTTP)
	if err != nil {
		return nil, fmt.Errorf("http: %w (expected an address such as 127.0.0.1:0)", err)
	}
	if !isLoopback(host) {
		return nil, fmt.Errorf("http: %s is not a loopback address: others in the network could ask (write 127.0.0.1 or ::1)", host)
	}
	w := &web{server: s, place: call.Place{Env: ownEnv()}}
	if w.token, err = readToken(s.Dir); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", s.HTTP)
	if err != nil {
		return nil, err
	}
	w.listener = &bounded{listener, make(chan struct{}, s.Connections)}
	w.http = http.Server{
		Handler:           w,
		ReadHeaderTimeout: s.Wait,
		ReadTimeout:       2 * s.Wait,
		WriteTimeout:      3*s.Wait + httpLeft,
		IdleTimeout:       6 * s.Wait,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	s.http = "http://" + w.listener.Addr().String() + "/hook"
	return w, nil
}

// isLoopback reports whether host names this machine and nothing else.
func isLoopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// ownEnv is the environment of the server, for calls that bring none. The
// project of who started the server is not that of the agent.
func ownEnv() []string {
	env := os.Environ()
	kept := env[:0]
	for _, entry := range env {
		if !strings.HasPrefix(entry, "CLAUDE_PROJECT_DIR=") {
			kept = append(kept, entry)
		}
	}
	return kept
}

// serve answers until stop, and then until the calls that run have ended.
func (w *web) serve() {
	if err := w.http.Serve(w.listener); !errors.Is(err, http.ErrServerClosed) {
		w.server.Log.Error("http hooks are not answered any more", "error", err)
	}
}

// stop takes no more calls and waits for those that run.
func (w *web) stop(drain time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	w.http.Shutdown(ctx)
	w.http.Close()
}

// ServeHTTP answers POST /hook.
func (w *web) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	if code, why := w.refuse(r); code != 0 {
		http.Error(out, why, code)
		return
	}
	request, err := call.New(call.Flags{Agent: r.URL.Query().Get("agent"), JSON: r.URL.Query().Has("json")})
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	out.Header().Set("Content-Type", "application/json")
	event, done, err := w.read(r)
	defer done()
	var o call.Outcome
	if err == nil {
		o = w.answer(r.Context(), request, event)
	} else { // another status than 200 would let the agent go on
		io.CopyN(io.Discard, r.Body, drainMost) // who still writes when we answer may never read it
		o.Err = fmt.Errorf("the event: %w", err)
		o.Reply = request.Fail(o.Err)
	}
	out.Write(body(request, o.Reply))
	w.server.Record(o)
}

// read reads the event, for which there may be no room.
func (w *web) read(r *http.Request) (event []byte, done func(), err error) {
	size, done := r.ContentLength, func() {}
	if size < 0 {
		size = call.MaxEvent
	}
	if size > maxSmall {
		leave, ok := w.server.leave(int(min(size, call.MaxEvent)))
		if !ok {
			return nil, done, errors.New("it cannot be read: too many large events at once")
		}
		done = leave
	}
	event, err = call.ReadEvent(r.Body)
	return event, done, err
}

// refuse returns why a request is not for us, or 0. Host and Origin keep out
// web pages, whose requests a browser sends from this machine.
func (w *web) refuse(r *http.Request) (code int, why string) {
	host, port, err := net.SplitHostPort(r.Host)
	_, own, _ := net.SplitHostPort(w.listener.Addr().String())
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	switch {
	case err != nil || port != own || !isLoopback(host):
		return http.StatusForbidden, "this host is not known here"
	case r.Header.Get("Origin") != "":
		return http.StatusForbidden, "not for web pages"
	case !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare([]byte(token), []byte(w.token)) != 1:
		return http.StatusUnauthorized, "the token is missing or wrong: Authorization: Bearer …, from the file http-token"
	case r.URL.Path != "/hook":
		return http.StatusNotFound, "there is /hook and nothing else"
	case r.Method != http.MethodPost:
		return http.StatusMethodNotAllowed, "POST the event"
	case kind != "application/json":
		return http.StatusUnsupportedMediaType, "the event must be application/json"
	}
	return 0, ""
}

// answer answers within httpLeft, whatever is stuck.
func (w *web) answer(ctx context.Context, request *call.Call, event []byte) call.Outcome {
	end := time.Now().Add(httpLeft)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(w.server.calls, func() { cancel(context.Cause(w.server.calls)) })()
	ctx, done := call.Until(ctx, end)
	defer done()
	outcomes := make(chan call.Outcome, 1)
	go func() { outcomes <- (&desk{server: w.server}).answer(ctx, request, w.place, event) }() // ends soon after ctx
	late := time.NewTimer(time.Until(end))
	defer late.Stop()
	select {
	case o := <-outcomes:
		return o
	case <-late.C:
		return request.FailOn(event, fmt.Errorf("no decision within %v", httpLeft))
	}
}
