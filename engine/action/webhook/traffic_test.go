package webhook_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/action/webhook"
	"github.com/pawl-dev/pawl/engine/hook"
)

// open makes an engine of one settings text.
func open(t testing.TB, text string) *engine.Engine {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pawl.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	eng, err := engine.Open(context.Background(), path, engine.WithType("http", webhook.Type(webhook.Options{})),
		engine.WithHome(""), engine.WithManaged(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { eng.Close(context.Background()) })
	return eng
}

// The audit hook of the second seed, with the address of a server that runs.
func TestSeedAudit(t *testing.T) {
	got := make(chan *http.Request, 1)
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) { got <- r })
	text, err := os.ReadFile("../../../testdata/seeds/seed2-03-audit-http.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("AUDIT_TOKEN", "t0p")
	eng := open(t, strings.Replace(string(text), "https://audit.example.com", url, 1))
	dec := eng.Dispatch(t.Context(), event(hook.PostToolUse))
	r := <-got
	if dec.Verdict != hook.None || len(dec.Notices) > 0 || r.URL.Path != "/api/log" || r.Header.Get("Authorization") != "Bearer t0p" {
		t.Errorf("decision %s, notices %q, request %s %v", dec.Verdict, dec.Notices, r.URL, r.Header)
	}
}

// A post that nobody waits for is sent again after a failure that may pass,
// and the server can tell that it is the same.
func TestRetries(t *testing.T) {
	const soon = "0"
	for _, tt := range []struct {
		name     string
		statuses []int // the last one stays
		async    bool
		requests int
	}{
		{"passes", []int{503, 429, 200}, true, 3},
		{"gives up", []int{500}, true, 4},
		{"stays", []int{404}, true, 1},
		{"redirect", []int{307}, true, 1},
		{"somebody waits", []int{503, 200}, false, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var keys []string
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				keys = append(keys, r.Header.Get("Idempotency-Key"))
				w.Header().Set("Retry-After", soon)
				w.WriteHeader(tt.statuses[min(len(keys), len(tt.statuses))-1])
			})
			f := newFixture()
			f.spec.Async = tt.async
			_, err := f.run(t, event(hook.PostToolUse), "url", url, "retries", 3)
			if passed := tt.statuses[min(tt.requests, len(tt.statuses))-1] == 200; passed != (err == nil) {
				t.Errorf("error %v", err)
			}
			if len(keys) != tt.requests || len(slices.Compact(keys)) != 1 || tt.async == (keys[0] == "") {
				t.Errorf("%d requests with the keys %q, want %d", len(keys), keys, tt.requests)
			}
		})
	}
}

// A server that is not there yet is tried again; the time of the hook ends it.
func TestRetryConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close()
	f := newFixture()
	f.spec.Async = true
	a, _ := f.make(t, "url", url, "retries", 10)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := a.Run(ctx, f.call(event(hook.PostToolUse))); cause(err) != hook.CauseHTTP || time.Since(began) > 2*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
}

// asyncRewake: a denial wakes the agent.
func TestRewake(t *testing.T) {
	f := newFixture()
	f.spec.Async, f.spec.Rewake = true, true
	res, err := f.run(t, event(hook.Stop), "url", serve(t, reply(200, "application/json", denies)))
	if err != nil || res.Wake != "no" || res.Verdict != hook.None {
		t.Errorf("result %+v, error %v", res, err)
	}
}

// Calls one after the other use one connection, whatever the answers were.
func TestReuse(t *testing.T) {
	var opened atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/fails" {
			w.WriteHeader(500)
		}
		io.WriteString(w, denies)
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	eng := open(t, fmt.Sprintf(`hooks: {PreToolUse: [{hooks: [{type: http, url: "%s/fails"}, {type: http, url: "%[1]s/denies"}]}]}`, server.URL))
	for range 20 {
		if dec := eng.Dispatch(t.Context(), event(hook.PreToolUse)); dec.Verdict != hook.Deny || len(dec.Notices) != 1 {
			t.Fatalf("decision %s, notices %q", dec.Verdict, dec.Notices)
		}
	}
	if n := opened.Load(); n > 4 { // one that is not back yet when the next call begins has a second beside it
		t.Errorf("%d connections for 40 calls", n)
	}
}

// 200 dispatches at once, each with a hook that hangs for its whole time, are
// all decided by then, and little is kept for each.
func TestManyHanging(t *testing.T) {
	const dispatches, timeout = 200, 4 * time.Second
	const most = dispatches * 3 / 4 // a busy machine may not get to all in time
	var waiting atomic.Int32
	var memory runtime.MemStats
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if waiting.Add(1) == most {
			runtime.ReadMemStats(&memory)
		}
		<-r.Context().Done()
	})
	eng := open(t, fmt.Sprintf("hooks: {PreToolUse: [{hooks: [{type: http, url: %q, timeout: %v, onFailure: block}]}]}", url, timeout))
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	var wg sync.WaitGroup
	for range dispatches {
		wg.Go(func() {
			if dec := eng.Dispatch(t.Context(), event(hook.PreToolUse)); dec.Verdict != hook.Deny || !strings.Contains(dec.Reason(), "timed out") {
				t.Errorf("decision %s %q", dec.Verdict, dec.Reason())
			}
		})
	}
	wg.Wait()
	if took := time.Since(began); took < timeout || took > timeout+2*time.Second {
		t.Errorf("decided after %v, want %v", took, timeout)
	}
	if waiting.Load() < most {
		t.Fatalf("only %d of %d requests were there at once", waiting.Load(), dispatches)
	}
	if grown := int64(memory.HeapAlloc) - int64(before.HeapAlloc); grown > dispatches*256<<10 {
		t.Errorf("%d bytes for each dispatch", grown/dispatches)
	}
}

// BenchmarkOverhead tells what a hook costs, from the event to the decision,
// over a client that does as little as a client can, both over a connection
// that is kept; in turn, medians.
func BenchmarkOverhead(b *testing.B) {
	url := benchServer(b)
	eng := open(b, fmt.Sprintf("hooks: {PreToolUse: [{hooks: [{type: http, url: %q, headers: {X-Key: $TOKEN}, allowedEnvVars: [TOKEN]}]}]}", url))
	ev := event(hook.PreToolUse)
	body := string(ev.JSON())
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	var bare, hooked []time.Duration
	for b.Loop() {
		began := time.Now()
		resp, err := client.Post(url, "application/json", strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		if data, err := io.ReadAll(resp.Body); err != nil || string(data) != denies {
			b.Fatal(err)
		}
		resp.Body.Close()
		bare = append(bare, time.Since(began))
		began = time.Now()
		if dec := eng.Dispatch(b.Context(), ev); dec.Verdict != hook.Deny {
			b.Fatal(dec)
		}
		hooked = append(hooked, time.Since(began))
	}
	x, y := median(bare), median(hooked)
	b.ReportMetric(float64(x)/1e3, "us-bare")
	b.ReportMetric(float64(y)/1e3, "us-hook")
	b.ReportMetric(float64(y)/float64(x), "x-bare")
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

func benchServer(b *testing.B) string {
	return serve(b, reply(200, "application/json", denies))
}
