package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret = "sk-secret"

// env is the environment that holds the key of the tests.
func env(name string) (string, bool) { return secret + "\n", name == "KEY" }

// clients make models for one test.
func clients(t *testing.T) *model.Clients {
	c := model.New(model.Options{})
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// open makes the model of a declaration that must be good.
func open(t *testing.T, c *model.Clients, spec hook.ModelSpec) hook.Model {
	t.Helper()
	spec.Name, spec.Model, spec.Env = "guard", "m-1", env
	m, err := c.Providers()[spec.Provider](spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// served is a request as a server saw it.
type served struct {
	path   string
	header http.Header
	body   map[string]any
}

// server answers the nth request with the nth of handlers, and the last one
// again and again.
type server struct {
	*httptest.Server
	mu   sync.Mutex
	seen []served
}

func serve(t *testing.T, handlers ...http.HandlerFunc) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		got := served{path: r.URL.Path, header: r.Header}
		json.Unmarshal(data, &got.body)
		s.mu.Lock()
		s.seen = append(s.seen, got)
		n := min(len(s.seen), len(handlers)) - 1
		s.mu.Unlock()
		handlers[n](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) requests() []served {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// send is a handler that answers with a status, headers in pairs, and a body.
func send(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// hello is what each provider says when all is well.
var hello = map[string]string{
	"openai":    `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`,
	"anthropic": `{"content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","usage":{"input_tokens":5,"cache_read_input_tokens":2,"output_tokens":2}}`,
}

func both(t *testing.T, run func(t *testing.T, provider string)) {
	for provider := range hello {
		t.Run(provider, func(t *testing.T) { run(t, provider) })
	}
}

var question = hook.Request{System: "be brief", Turns: []hook.Turn{{Text: "hello?"}}}

func wantCause(t *testing.T, err error, cause hook.Cause, part string) {
	t.Helper()
	n, ok := errors.AsType[*hook.NoVerdict](err)
	if !ok || n.Cause != cause || !strings.Contains(n.Error(), part) || strings.Contains(n.Error(), secret) {
		t.Errorf("got %v, want a NoVerdict of cause %s with %q", err, cause, part)
	}
}

func object(t *testing.T, pairs ...any) hook.Object {
	t.Helper()
	o, err := answer.Object(pairs...)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// What a provider is sent is its own form of the conversation, with the key
// where it wants it.
func TestRequests(t *testing.T) {
	talk := hook.Request{
		System: "be brief", MaxTokens: 50,
		Turns: []hook.Turn{
			{Text: "look"},
			{Text: "I do", Calls: []hook.ToolCall{{ID: "c1", Name: "read", Input: object(t, "path", "a<b")}, {ID: "c2", Name: "read"}}},
			{Results: []hook.ToolResult{{ID: "c1", Text: "text"}, {ID: "c2", Text: "no", Failed: true}}, Text: "go on"},
		},
		Tools: []hook.ToolSpec{{Name: "read", About: "reads", Schema: []byte(`{"type":"object"}`)}},
	}
	for provider, want := range map[string]struct{ path, key, value, body string }{
		"openai": {"/v1/chat/completions", "Authorization", "Bearer " + secret, `{"model":"m-1","max_tokens":50,
			"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"look"},
			{"role":"assistant","content":"I do","tool_calls":[
				{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a<b\"}"}},
				{"id":"c2","type":"function","function":{"name":"read","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"c1","content":"text"},{"role":"tool","tool_call_id":"c2","content":"no"},
			{"role":"user","content":"go on"}],
			"tools":[{"type":"function","function":{"name":"read","description":"reads","parameters":{"type":"object"}}}]}`},
		"anthropic": {"/v1/messages", "X-Api-Key", secret, `{"model":"m-1","max_tokens":50,"system":"be brief",
			"messages":[{"role":"user","content":[{"type":"text","text":"look"}]},
			{"role":"assistant","content":[{"type":"text","text":"I do"},
				{"type":"tool_use","id":"c1","name":"read","input":{"path":"a<b"}},{"type":"tool_use","id":"c2","name":"read","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"text"},
				{"type":"tool_result","tool_use_id":"c2","content":"no","is_error":true},{"type":"text","text":"go on"}]}],
			"tools":[{"name":"read","description":"reads","input_schema":{"type":"object"}}]}`},
	} {
		t.Run(provider, func(t *testing.T) {
			s := serve(t, send(200, hello[provider]))
			m := open(t, clients(t), hook.ModelSpec{Provider: provider, BaseURL: s.URL + "/v1/", KeyEnv: "KEY"})
			if _, err := m.Complete(t.Context(), talk); err != nil {
				t.Fatal(err)
			}
			got := s.requests()[0]
			var body map[string]any
			if err := json.Unmarshal([]byte(want.body), &body); err != nil {
				t.Fatal(err)
			}
			if got.path != want.path || got.header.Get(want.key) != want.value || !reflect.DeepEqual(got.body, body) {
				t.Errorf("%s %q\n%v\nwant\n%v", got.path, got.header.Get(want.key), got.body, body)
			}
		})
	}
}

func TestReplies(t *testing.T) {
	type reply struct {
		provider, body string
		end            hook.End
		text, calls    string // calls: name(input), …
	}
	for name, want := range map[string]reply{
		"openai: done":          {"openai", hello["openai"], hook.EndDone, "hi", ""},
		"openai: cut":           {"openai", `{"choices":[{"message":{"content":"{\"dec"},"finish_reason":"length"}]}`, hook.EndCut, `{"dec`, ""},
		"openai: filtered":      {"openai", `{"choices":[{"message":{"content":null},"finish_reason":"content_filter"}]}`, hook.EndRefused, "", ""},
		"openai: refusal":       {"openai", `{"choices":[{"message":{"content":null,"refusal":"no"},"finish_reason":"stop"}]}`, hook.EndRefused, "no", ""},
		"openai: nothing":       {"openai", `{"choices":[{"message":{}}]}`, hook.EndDone, "", ""},
		"openai: calls":         {"openai", `{"choices":[{"message":{"tool_calls":[{"id":"1","function":{"name":"read","arguments":"{\"a\":1}"}},{"id":"2","function":{"name":"glob"}},{"id":"3","function":{"name":"grep","arguments":"{"}}]},"finish_reason":"tool_calls"}]}`, hook.EndTools, "", `read({"a":1}) glob({}) grep()`},
		"anthropic: done":       {"anthropic", hello["anthropic"], hook.EndDone, "hi", ""},
		"anthropic: two blocks": {"anthropic", `{"content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"a"},{"type":"text","text":"b"}],"stop_reason":"end_turn"}`, hook.EndDone, "ab", ""},
		"anthropic: cut":        {"anthropic", `{"content":[{"type":"text","text":"a"}],"stop_reason":"max_tokens"}`, hook.EndCut, "a", ""},
		"anthropic: refusal":    {"anthropic", `{"content":[],"stop_reason":"refusal"}`, hook.EndRefused, "", ""},
		"anthropic: calls":      {"anthropic", `{"content":[{"type":"text","text":"a"},{"type":"tool_use","id":"1","name":"read","input":{"a":1}},{"type":"tool_use","id":"2","name":"glob","input":[]}],"stop_reason":"tool_use"}`, hook.EndTools, "a", `read({"a":1}) glob()`},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, send(200, want.body))
			r, err := open(t, clients(t), hook.ModelSpec{Provider: want.provider, BaseURL: s.URL}).Complete(t.Context(), question)
			if err != nil {
				t.Fatal(err)
			}
			var calls []string
			for _, c := range r.Calls {
				calls = append(calls, c.Name+"("+string(c.Input.Raw())+")")
			}
			if r.End != want.end || r.Text != want.text || strings.Join(calls, " ") != want.calls {
				t.Errorf("got %s %q %q", r.End, r.Text, calls)
			}
			if want.text == "hi" && r.Usage != (hook.Usage{In: 7, Out: 2}) {
				t.Errorf("usage %+v", r.Usage)
			}
		})
	}
}

// The key is that of where the event comes from, if that is another place.
func TestKeyOfTheEvent(t *testing.T) {
	both(t, func(t *testing.T, provider string) {
		s := serve(t, send(200, hello[provider]))
		m := open(t, clients(t), hook.ModelSpec{Provider: provider, BaseURL: s.URL, KeyEnv: "KEY"})
		asked := question
		asked.Env = func(name string) (string, bool) { return "sk-other", name == "KEY" }
		if _, err := m.Complete(t.Context(), asked); err != nil {
			t.Fatal(err)
		}
		if h := s.requests()[0].header; !strings.HasSuffix(h.Get("Authorization")+h.Get("X-Api-Key"), "sk-other") {
			t.Errorf("headers %v", h)
		}
		asked.Env = func(string) (string, bool) { return "", false }
		_, err := m.Complete(t.Context(), asked)
		wantCause(t, err, hook.CauseConfig, "its key is wanted from the variable KEY")
	})
}

// A server may repeat the key in an answer, whose text the agent reads.
func TestReplyWithoutKey(t *testing.T) {
	both(t, func(t *testing.T, provider string) {
		s := serve(t, send(200, strings.ReplaceAll(hello[provider], `"hi"`, `"hi `+secret+`"`)))
		reply, err := open(t, clients(t), hook.ModelSpec{Provider: provider, BaseURL: s.URL, KeyEnv: "KEY"}).Complete(t.Context(), question)
		if err != nil || !strings.Contains(reply.Text, "***") || strings.Contains(reply.Text, secret) {
			t.Errorf("got %q, %v", reply.Text, err)
		}
	})
}

// Whatever is no answer is a NoVerdict that says why, and never the key.
func TestFailures(t *testing.T) {
	const leak = `{"error":{"message":"bad key sk-secret"}}`
	cut := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, `{"choices":[`)
	}
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		part    string
		tried   int
	}{
		"key refused":     {send(401, leak), "status 401 Unauthorized: bad key ***", 1},
		"no such model":   {send(404, "not here"), "status 404 Not Found: not here", 1},
		"always 500":      {send(500, ""), "status 500 Internal Server Error", 2},
		"always limited":  {send(429, leak, "Retry-After", "0"), "status 429 Too Many Requests: bad key ***", 4},
		"long waits":      {send(429, "", "Retry-After", "3600"), "it asks to wait 1h0m0s", 1},
		"failed and long": {send(503, "", "Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"), "there is less time left", 1},
		"redirect":        {send(307, "", "Location", "https://other.example/"), "redirects are not followed", 1},
		"half a JSON":     {send(200, `{"choices":[{"mess`), "cannot be read", 1},
		"not JSON":        {send(200, "<html>", "Content-Type", "text/html"), "cannot be read", 1},
		"another shape":   {send(200, `{"choices":"none","content":"none"}`), "cannot be read", 1},
		"cut off":         {cut, "unexpected EOF", 1},
		"endless":         {send(200, strings.Repeat(" ", 1<<20)+hello["openai"]), "larger than 1048576 bytes", 1},
		"not compressed":  {send(200, hello["openai"], "Content-Encoding", "gzip"), "gzip: invalid header", 1},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, provider string) {
				s := serve(t, tt.handler)
				_, err := open(t, clients(t), hook.ModelSpec{Provider: provider, BaseURL: s.URL, KeyEnv: "KEY"}).Complete(t.Context(), question)
				wantCause(t, err, hook.CauseHTTP, tt.part)
				if n := len(s.requests()); n != tt.tried {
					t.Errorf("asked %d times, want %d", n, tt.tried)
				}
			})
		})
	}
	both(t, func(t *testing.T, provider string) {
		s := serve(t, send(200, "{}"))
		s.Close()
		_, err := open(t, clients(t), hook.ModelSpec{Provider: provider, BaseURL: s.URL}).Complete(t.Context(), question)
		wantCause(t, err, hook.CauseHTTP, "refused")
	})
	s := serve(t, send(200, `{"choices":[]}`))
	_, err := open(t, clients(t), hook.ModelSpec{Provider: "openai", BaseURL: s.URL}).Complete(t.Context(), question)
	wantCause(t, err, hook.CauseHTTP, "no choices")
}

// A server that is busy, or failed once, is asked again.
func TestAgain(t *testing.T) {
	both(t, func(t *testing.T, provider string) {
		limited := send(429, "", "Retry-After", "0")
		s := serve(t, limited, send(529, ""), limited, send(200, hello[provider]))
		r, err := open(t, clients(t), hook.ModelSpec{Provider: provider, BaseURL: s.URL}).Complete(t.Context(), question)
		if err != nil || r.Text != "hi" || len(s.requests()) != 4 {
			t.Errorf("%q, %v after %d requests", r.Text, err, len(s.requests()))
		}
	})
}

// A slow server is left at the end of the time: the model's own, the hook's,
// or when the host gives up.
func TestSlow(t *testing.T) {
	both(t, func(t *testing.T, provider string) {
		started := make(chan struct{}, 1)
		slow := func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(200)
			io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			started <- struct{}{}
			<-r.Context().Done()
		}
		s := serve(t, slow)
		m := open(t, clients(t), hook.ModelSpec{Provider: provider, BaseURL: s.URL, Timeout: 30 * time.Millisecond})
		_, err := m.Complete(t.Context(), question)
		wantCause(t, err, hook.CauseTimeout, "the model has 30ms")
		<-started

		m = open(t, clients(t), hook.ModelSpec{Provider: provider, BaseURL: s.URL})
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		_, err = m.Complete(ctx, question)
		wantCause(t, err, hook.CauseTimeout, "deadline exceeded")
		<-started

		ctx, giveUp := context.WithCancel(t.Context())
		go func() { <-started; giveUp() }()
		_, err = m.Complete(ctx, question)
		wantCause(t, err, hook.CauseCanceled, "canceled")
	})
}
