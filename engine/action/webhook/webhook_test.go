package webhook_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pawl-dev/pawl/engine/action/webhook"
	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/enginetest"
	"github.com/pawl-dev/pawl/engine/hook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is one hook of the type and what it is made with.
type fixture struct {
	opts webhook.Options
	deps hook.Deps
	spec hook.Spec
}

// newFixture has one variable and one that breaks a header.
func newFixture() *fixture {
	env := map[string]string{"TOKEN": "t0p", "OTHER": "0ther", "BROKEN": "a\r\nX-Evil: 1"}
	return &fixture{
		deps: hook.Deps{Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }},
		spec: hook.Spec{ID: "hooks.PreToolUse[0].hooks[0]", Event: hook.PreToolUse, Type: "http", Source: hook.Source{Layer: hook.Project}},
	}
}

// make returns the action of an entry with these fields: name, value, …
func (f *fixture) make(t testing.TB, pairs ...any) (hook.Action, []hook.Diagnostic) {
	spec := f.spec
	spec.Fields = nil
	for i := 0; i < len(pairs); i += 2 {
		spec.Fields = append(spec.Fields, hook.Field{Name: pairs[i].(string), Value: pairs[i+1]})
	}
	kind := webhook.Type(f.opts)
	t.Cleanup(func() { kind.Close(t.Context()) })
	return kind.New(spec, f.deps)
}

func (f *fixture) run(t *testing.T, ev hook.Event, pairs ...any) (hook.Result, error) {
	t.Helper()
	a, diags := f.make(t, pairs...)
	for _, d := range diags {
		if d.Severity == hook.Error {
			t.Fatal(d)
		}
	}
	return a.Run(t.Context(), f.call(ev))
}

func (f *fixture) call(ev hook.Event) hook.Call {
	return hook.Call{Facts: &hook.Facts{Event: ev}, Hook: &f.spec, Matched: hook.Match{Tri: hook.Yes}}
}

func event(name hook.EventName) hook.Event {
	input, err := answer.Object("command", "ls && pwd")
	if err != nil {
		panic(err)
	}
	return hook.Event{Name: name, Session: "s1", Tool: "Bash", Input: input}
}

// serve starts a server that ends with t.
func serve(t testing.TB, f http.HandlerFunc) string {
	server := httptest.NewUnstartedServer(f)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

// reply answers with a status, a content type and a body.
func reply(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = []string{contentType}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func cause(err error) hook.Cause {
	if n, ok := errors.AsType[*hook.NoVerdict](err); ok {
		return n.Cause
	}
	return ""
}

const denies = `{"decision": "block", "reason": "no"}`

// What an answer means (B109): only a 2xx decides, and only JSON.
func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		name, kind, body string
		encoding         string
		status           int
		event            hook.EventName
		want             hook.Verdict
		context          string
		cause            hook.Cause
	}{
		{name: "deny", status: 200, body: denies, want: hook.Deny},
		{name: "allow", status: 200, body: `{"decision": "approve"}`, want: hook.Allow},
		{name: "created", status: 201, body: denies, want: hook.Deny},
		{name: "problem type", status: 200, kind: "application/x+json; charset=utf-8", body: denies, want: hook.Deny},
		{name: "no type", status: 200, kind: "-", body: denies, want: hook.Deny},
		{name: "JSON as plain text", status: 201, kind: "text/plain", body: denies, want: hook.Deny},
		{name: "empty", status: 200},
		{name: "blank", status: 200, body: " \n"},
		{name: "no content", status: 204},
		{name: "null", status: 200, body: "null\n"},
		{name: "an array", status: 200, body: "[1]", cause: hook.CauseHTTP},
		{name: "an array of answers", status: 200, body: "[" + denies + "]", cause: hook.CauseHTTP},
		{name: "a string", status: 200, body: `"block"`, cause: hook.CauseHTTP},
		{name: "a page as JSON", status: 200, body: "<p>please log in", cause: hook.CauseHTTP},
		{name: "a page as JSON is no context", status: 200, body: "<p>please log in", event: hook.SessionStart, cause: hook.CauseHTTP},
		{name: "text before the JSON", status: 200, body: "ok\n" + denies, want: hook.Deny},
		{name: "with a mark of its order", status: 200, body: "\ufeff" + denies, want: hook.Deny},
		{name: "no text", status: 200, kind: "text/plain", body: "\xff\x00\x01", cause: hook.CauseHTTP},
		{name: "packed unasked", status: 200, encoding: "br", body: "\x0b\x02\x80abc", cause: hook.CauseHTTP},
		{name: "text packed unasked", status: 200, kind: "text/plain", encoding: "deflate", body: "x\x9c", cause: hook.CauseHTTP},
		{name: "an allow packed unasked", status: 200, encoding: "br", body: `{"decision": "approve"}`, cause: hook.CauseHTTP},
		{name: "not packed after all", status: 200, encoding: "br", body: denies, want: hook.Deny},
		{name: "packed as it is", status: 200, encoding: "identity", body: `{"decision": "approve"}`, want: hook.Allow},
		{name: "text is logged", status: 200, kind: "text/plain", body: "hello"},
		{name: "text is context", status: 200, kind: "text/plain", body: "hello", event: hook.SessionStart, context: "hello"},
		{name: "403 with a deny", status: 403, body: denies, cause: hook.CauseHTTP},
		{name: "500 with an allow", status: 500, body: `{"decision":"approve"}`, cause: hook.CauseHTTP},
		{name: "not modified", status: 304, cause: hook.CauseHTTP},
		{name: "half a JSON", status: 200, body: `{"decision": "blo`, cause: hook.CauseAnswer},
		{name: "not JSON", status: 200, body: `{decision: block}`, cause: hook.CauseAnswer},
		{name: "two answers in one", status: 200, body: `{"decision":"approve","decision":"block"}`, want: hook.Deny},
		{name: "a page", status: 200, kind: "text/html", body: "<p>please log in", cause: hook.CauseHTTP},
		{name: "a page that allows", status: 200, kind: "text/html", body: `{"decision": "approve"}`, cause: hook.CauseHTTP},
		{name: "a page that denies", status: 200, kind: "text/html", body: denies, want: hook.Deny},
		{name: "an odd type", status: 200, kind: "application/;", body: "x", cause: hook.CauseHTTP},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kind := map[string]string{"": "application/json", "-": ""}[tt.kind] + strings.Trim(tt.kind, "-")
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if tt.encoding != "" {
					w.Header().Set("Content-Encoding", tt.encoding)
				}
				reply(tt.status, kind, tt.body)(w, r)
			})
			name := hook.PreToolUse
			if tt.event != "" {
				name = tt.event
			}
			res, err := newFixture().run(t, event(name), "url", url)
			if res.Verdict != tt.want || cause(err) != tt.cause || strings.Join(res.Context, "|") != tt.context {
				t.Errorf("verdict %s, context %q, error %v", res.Verdict, res.Context, err)
			}
		})
	}
}

// The request is the event, as a command reads it.
func TestRequest(t *testing.T) {
	var got *http.Request
	var body string
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		got, body = r, string(data)
	})
	f := newFixture()
	ev := event(hook.PreToolUse)
	a, diags := f.make(t, "url", url+"/a?b=c", "method", "put", "headers", map[string]any{
		"authorization": "Bearer $TOKEN", "X-Both": "${TOKEN}-$TOKEN.x", "X-Unlisted": "<$OTHER>", "X-Unset": "<$NONE>", "X-Cash": "$5 $$",
	}, "allowedEnvVars", []any{"TOKEN", "NONE"})
	if len(diags) != 1 || diags[0].Severity != hook.Warning || !strings.Contains(diags[0].Message, "X-Unlisted: $OTHER") {
		t.Errorf("diagnostics %v", diags)
	}
	c := f.call(ev)
	if _, err := a.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if body != string(ev.JSON())+"\n" || got.Method != "PUT" || got.RequestURI != "/a?b=c" {
		t.Errorf("%s %s with %s", got.Method, got.RequestURI, body)
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer t0p", "X-Both": "t0p-t0p.x", "X-Unlisted": "<>", "X-Unset": "<>", "X-Cash": "$5 $$",
		"Content-Type": "application/json", "Idempotency-Key": "",
	} {
		if got.Header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Header.Get(name), want)
		}
	}
	c.Facts.Event.Env = []string{"TOKEN=of the caller"}
	if _, err := a.Run(t.Context(), c); err != nil || got.Header.Get("Authorization") != "Bearer of the caller" {
		t.Errorf("%v, error %v", got.Header, err)
	}
	c.Matched = hook.Match{Tri: hook.Unknown, Why: "$X is not a literal"}
	if _, err := a.Run(t.Context(), c); err != nil || !strings.Contains(body, `"unknown":"$X is not a literal"`) {
		t.Errorf("body %s, error %v", body, err)
	}
}

// A value that would add a header is not sent, and is not told.
func TestBrokenHeader(t *testing.T) {
	asked := false
	url := serve(t, func(http.ResponseWriter, *http.Request) { asked = true })
	_, err := newFixture().run(t, event(hook.PreToolUse), "url", url, "headers", map[string]any{"X-A": "$BROKEN"}, "allowedEnvVars", []any{"BROKEN"})
	if cause(err) != hook.CauseHTTP || strings.Contains(err.Error(), "Evil") || asked {
		t.Errorf("error %v, asked %v", err, asked)
	}
}

// Redirects are not followed: no header and no event reaches the other host
// (B110, B111).
func TestRedirects(t *testing.T) {
	asked := false
	other := serve(t, func(http.ResponseWriter, *http.Request) { asked = true })
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{other + "/secret/path", "http://169.254.169.254/latest/meta-data/"} {
			url := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, status) })
			_, err := newFixture().run(t, event(hook.PreToolUse), "url", url, "headers", map[string]any{"Authorization": "x"})
			if cause(err) != hook.CauseHTTP || asked || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), fmt.Sprint(status)) {
				t.Errorf("%d to %s: error %v, asked %v", status, to, err, asked)
			}
		}
	}
}

// bomb is the beginning of a gzip stream: two megabytes of blanks in a few
// bytes.
func bomb(t *testing.T) string {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, strings.Repeat(" ", 2<<20)); err != nil {
		t.Fatal(err)
	}
	if err := z.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What a server does wrong is a failure within the time of the hook, never an
// answer.
func TestBadServers(t *testing.T) {
	endless := func(conn net.Conn) {
		for chunk := make([]byte, 64<<10); ; {
			if _, err := conn.Write(chunk); err != nil {
				return
			}
		}
	}
	raw := func(text string, then func(net.Conn)) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			defer conn.Close()
			io.WriteString(conn, text)
			then(conn)
		}
	}
	hang := func(conn net.Conn) { io.Copy(io.Discard, conn) } // until the client goes
	trickle := func(conn net.Conn) {
		ticker := time.NewTicker(5 * time.Millisecond)
		defer ticker.Stop()
		for range ticker.C {
			if _, err := io.WriteString(conn, " "); err != nil {
				return
			}
		}
	}
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	for name, tt := range map[string]struct {
		serve http.HandlerFunc
		cause hook.Cause
	}{
		"says nothing":           {raw("", hang), hook.CauseTimeout},
		"hangs up":               {raw("", func(net.Conn) {}), hook.CauseHTTP},
		"resets":                 {raw(head, func(c net.Conn) { c.(*net.TCPConn).SetLinger(0) }), hook.CauseHTTP},
		"is no server":           {raw("SSH-2.0-OpenSSH_9\r\n\r\n", func(net.Conn) {}), hook.CauseHTTP},
		"slow header":            {raw(head+"X-A: ", trickle), hook.CauseTimeout},
		"endless header":         {raw(head+"X-A: "+strings.Repeat("a", 1<<20), hang), hook.CauseHTTP},
		"slow body":              {raw(head+"Content-Length: 100000\r\n\r\n"+denies, trickle), hook.CauseTimeout},
		"body that does not end": {raw(head+"\r\n"+denies, hang), hook.CauseTimeout},
		"half a body":            {raw(head+"Content-Length: 1000\r\n\r\n"+denies, func(net.Conn) {}), hook.CauseHTTP},
		"broken chunk":           {raw(head+"Transfer-Encoding: chunked\r\n\r\nzz\r\n", func(net.Conn) {}), hook.CauseHTTP},
		"endless body":           {raw(head+"\r\n", endless), hook.CauseHTTP},
		"gzip bomb":              {raw(head+"Content-Encoding: gzip\r\n\r\n"+bomb(t), hang), hook.CauseHTTP},
		"no gzip":                {raw(head+"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd", hang), hook.CauseHTTP},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, tt.serve)
			f := newFixture()
			a, _ := f.make(t, "url", url)
			ctx, cancel := contextOf(t, 300*time.Millisecond, tt.cause)
			defer cancel()
			began := time.Now()
			res, err := a.Run(ctx, f.call(event(hook.PreToolUse)))
			if cause(err) != tt.cause || res.Verdict != hook.None || time.Since(began) > 5*time.Second {
				t.Errorf("after %v: verdict %s, error %v", time.Since(began), res.Verdict, err)
			}
		})
	}
}

// A certificate that nobody vouches for is refused; one of the host's own
// roots is not.
func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(reply(200, "application/json", denies))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	f := newFixture()
	if _, err := f.run(t, event(hook.PreToolUse), "url", server.URL); cause(err) != hook.CauseHTTP || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("unknown root: %v", err)
	}
	f.opts.TLS = server.Client().Transport.(*http.Transport).TLSClientConfig
	if res, err := f.run(t, event(hook.PreToolUse), "url", server.URL); res.Verdict != hook.Deny || err != nil {
		t.Errorf("own root: verdict %s, error %v", res.Verdict, err)
	}
	other := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	if _, err := f.run(t, event(hook.PreToolUse), "url", other); cause(err) != hook.CauseHTTP {
		t.Errorf("another name: %v", err)
	}
}

func TestConformance(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"denies": reply(200, "application/json", denies),
		"fails":  reply(500, "text/plain", "oops"),
		"slow": func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			select {
			case <-time.After(60 * time.Millisecond):
			case <-r.Context().Done():
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, handler)
			enginetest.TestAction(t, func() hook.Action {
				a, _ := newFixture().make(t, "url", url)
				return a
			})
		})
	}
}
