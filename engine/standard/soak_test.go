//go:build linux

package standard_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine"
)

// soakTime is how long TestSoak takes: PAWL_SOAK, else a moment.
func soakTime(t *testing.T) time.Duration {
	text := os.Getenv("PAWL_SOAK")
	if text == "" {
		return time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("PAWL_SOAK: %v", err)
	}
	return d
}

// server is an MCP server over stdin and stdout, as small as can be, that ends
// after a few calls.
const server = `n=0
while read -r line; do
  id=$(expr "$line" : '.*"id":\([0-9]*\)')
  case $line in
  *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
  *'"tools/call"'*)
    printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"{\\"decision\\":\\"block\\",\\"reason\\":\\"fine\\"}"}]}}\n' "$id"
    n=$((n+1)); [ $n -lt 20 ] || exit 3 ;;
  esac
done
`

// unsteady is a server of hooks and of models of which every fourth call goes
// wrong, each time in another way.
func unsteady() http.HandlerFunc {
	var calls atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // only then the end of the connection is seen
		text := `{"decision":"block","reason":"fine"}`
		if strings.HasSuffix(r.URL.Path, "/chat/completions") {
			text = fmt.Sprintf(`{"choices":[{"message":{"content":%q}}]}`, text)
		}
		w.Header().Set("Content-Type", "application/json")
		switch calls.Add(1) % 16 {
		case 3: // hangs up
			if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
				conn.Close()
			}
			return
		case 7:
			w.WriteHeader(http.StatusInternalServerError)
		case 11: // hangs
			<-r.Context().Done()
			return
		case 15:
			text = text[:len(text)/2]
		}
		fmt.Fprint(w, text)
	}
}

// TestSoak: whatever servers and programs do, every dispatch is decided by its
// deadline, either by what a hook said or by its failure, and nothing grows:
// no process, no descriptor, no goroutine, no memory.
func TestSoak(t *testing.T) {
	s := httptest.NewServer(unsteady())
	defer s.Close()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "server.sh"), server)
	mark := "PAWL_SOAK_MARK=" + dir
	eng := open(t, put(t, filepath.Join(dir, "pawl.yaml"), strings.ReplaceAll(`models: {m: {provider: openai, base_url: "SERVER", model: small}}
mcpServers: {s: {command: sh, args: [server.sh]}}
hooks:
  PreToolUse:
    - {matcher: Bash, hooks: [{type: command, command: "sleep 30 >/dev/null 2>&1 & echo fine >&2; exit 2", timeout: 5s, onFailure: block}]}
    - {matcher: Grep, hooks: [{type: command, command: "sleep 30", timeout: 50ms, onFailure: block}]}
    - {matcher: Read, hooks: [{type: http, url: "SERVER/hook", timeout: 300ms, onFailure: block}]}
    - {matcher: Write, hooks: [{type: mcp_tool, server: s, tool: t, timeout: 5s, onFailure: block}]}
    - {matcher: Glob, hooks: [{type: prompt, mode: evaluate, prompt: "is it fine?", timeout: 300ms, onFailure: block}]}
    - {matcher: WebFetch, hooks: [{type: agent, prompt: "is it fine?", timeout: 300ms, onFailure: block}]}
`, "SERVER", s.URL)))
	tools := []string{"Bash", "Grep", "Read", "Write", "Glob", "WebFetch"}
	var fine atomic.Int64
	work := func(length time.Duration) (decided int64) {
		var count atomic.Int64
		var wg sync.WaitGroup
		end := time.Now().Add(length)
		for i := range 8 {
			wg.Go(func() {
				for n := i; time.Now().Before(end); n++ {
					ev := engine.Event{Name: engine.PreToolUse, Session: "s", Tool: tools[n%len(tools)], Input: engine.Input("command", "x"), Env: append(os.Environ(), mark)}
					began := time.Now()
					dec := eng.Dispatch(t.Context(), ev)
					count.Add(1)
					if dec.Reason() == "fine" {
						fine.Add(1)
					}
					if took := time.Since(began); dec.Verdict != engine.Deny || took > 15*time.Second {
						t.Errorf("%s: %v after %v, %+v", ev.Tool, dec.Verdict, took, dec.Steps)
					}
				}
			})
		}
		wg.Wait()
		return count.Load()
	}
	work(soakTime(t) / 4) // caches and connections fill
	goroutines, descriptors, heap := runtime.NumGoroutine(), count("/proc/self/fd"), held()
	decided := work(soakTime(t))
	t.Logf("%d decisions, %d as a hook said", decided, fine.Load())
	if fine.Load() == 0 {
		t.Error("no hook was heard")
	}
	quiet(t, "goroutines", func() bool { return runtime.NumGoroutine() <= goroutines+20 }) // connections come and go
	quiet(t, "descriptors", func() bool { return count("/proc/self/fd") <= descriptors+20 })
	if now := held(); now > heap+heap/2+8<<20 {
		t.Errorf("the heap grew from %d to %d bytes", heap, now)
	}
	if err := eng.Close(t.Context()); err != nil { // ends the MCP server, which is meant to stay
		t.Error(err)
	}
	quiet(t, "processes", func() bool { return !alive(mark) })
}

func count(dir string) int {
	list, _ := os.ReadDir(dir)
	return len(list)
}

func held() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// alive reports whether a process has the variable mark.
func alive(mark string) bool {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range all {
		if env, err := os.ReadFile(path); err == nil && strings.Contains(string(env), mark+"\x00") {
			return true
		}
	}
	return false
}

// quiet waits until there are few enough of what.
func quiet(t *testing.T, what string, few func() bool) {
	t.Helper()
	tick, deadline := time.NewTicker(5*time.Millisecond), time.After(5*time.Second)
	defer tick.Stop()
	for !few() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Errorf("%s are left", what)
			return
		}
	}
}
