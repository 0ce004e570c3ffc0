//go:build unix

package resident_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/resident"
)

// post sends an event as an agent's http hook does, after change.
func (f *fixture) post(url string, event []byte, change func(*http.Request)) (code int, body string) {
	f.t.Helper()
	token, err := os.ReadFile(filepath.Join(f.dir, "http-token"))
	if err != nil {
		f.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(f.t.Context(), http.MethodPost, url, bytes.NewReader(event))
	if err != nil {
		f.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	change(r)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	got, err := client.Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return got.StatusCode, string(data)
}

func in(dir, event string) []byte {
	cwd, _ := json.Marshal(dir)
	return []byte(strings.Replace(event, "{", `{"session_id":"s","cwd":`+string(cwd)+",", 1))
}

// TestHTTP: an http hook gets the decision as JSON with status 200, also where
// the command says it by an exit code or on standard error.
func TestHTTP(t *testing.T) {
	f := serve(t, resident.Options{HTTP: "127.0.0.1:0"})
	url := f.status().HTTP
	dir := f.trusted(noRm + `
hooks:
  TaskCompleted: [{hooks: [{type: permission, decision: deny, reason: not yet}]}]
  WorktreeRemove: [{hooks: [{type: permission, decision: deny, reason: keep it}]}]
`)
	same := func(*http.Request) {}
	for event, want := range map[string]string{
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm x"}}`: `"permissionDecision":"deny"`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`:   ``,
		`{"hook_event_name":"TaskCompleted"}`:                                                 `{"decision":"block","reason":"not yet"}`,
		`{"hook_event_name":"WorktreeRemove","worktree_path":"/x"}`:                           `{"decision":"block","reason":"keep it"}`,
		`{"hook_event_name":"WorktreeCreate","name":"x"}`:                                     `{"systemMessage":"no hook gave a worktreePath`,
		`{"hook_event_name":"PreToolUse"`:                                                     `{"decision":"block","reason":"pawl: the event on standard input: not an event`,
	} {
		code, body := f.post(url, in(dir, event), same)
		if code != http.StatusOK || !strings.Contains(body, want) || want == "" && body != "" {
			t.Errorf("%s: %d %s, want %s", event, code, body, want)
		}
	}
	if code, body := f.post(url+"?json&agent=claude", in(dir, `{"hook_event_name":"Stop"}`), same); code != 200 || !strings.HasPrefix(body, `{"decision":"none"`) {
		t.Errorf("%d %s", code, body)
	}
	for _, cwd := range []string{"", "x", filepath.Base(dir)} { // nothing passes under the policy of another place
		code, body := f.post(url, in(cwd, `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`), same)
		if code != 200 || !strings.Contains(body, `"deny"`) || !strings.Contains(body, "cwd of the event must be an absolute path") {
			t.Errorf("cwd %q: %d %s", cwd, code, body)
		}
	}
	made := f.trusted(`hooks: {WorktreeCreate: [{hooks: [{type: command, command: "echo /w/x"}]}]}` + "\n")
	want := `{"hookSpecificOutput":{"hookEventName":"WorktreeCreate","worktreePath":"/w/x"}}`
	if code, body := f.post(url, in(made, `{"hook_event_name":"WorktreeCreate","name":"x"}`), same); code != 200 || body != want {
		t.Errorf("%d %s, want %s", code, body, want)
	}
}

// TestHTTPRefuses: who has no token, or may be a web page, learns nothing.
func TestHTTPRefuses(t *testing.T) {
	f := serve(t, resident.Options{HTTP: "127.0.0.1:0"})
	url := f.status().HTTP
	denied := in(f.workspace(noRm), `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm x"}}`)
	for name, tt := range map[string]struct {
		change func(*http.Request)
		code   int
	}{
		"no token":        {func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		"a wrong token":   {func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") }, 401},
		"a rebound name":  {func(r *http.Request) { r.Host = "evil.example:" + r.URL.Port() }, 403},
		"another port":    {func(r *http.Request) { r.Host = "127.0.0.1:1" }, 403},
		"no port":         {func(r *http.Request) { r.Host = "127.0.0.1" }, 403},
		"a web page":      {func(r *http.Request) { r.Header.Set("Origin", "http://"+r.Host) }, 403},
		"GET":             {func(r *http.Request) { r.Method, r.Body = http.MethodGet, http.NoBody }, 405},
		"elsewhere":       {func(r *http.Request) { r.URL.Path = "/" }, 404},
		"a form":          {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415},
		"a strange agent": {func(r *http.Request) { r.URL.RawQuery = "agent=x" }, 400},
	} {
		if code, body := f.post(url, denied, tt.change); code != tt.code || strings.Contains(body, "deny") {
			t.Errorf("%s: %d %s, want %d", name, code, body, tt.code)
		}
	}
	if code, _ := f.post(url, denied, func(r *http.Request) {
		r.Header.Set("Authorization", strings.Replace(r.Header.Get("Authorization"), "Bearer", "bearer", 1))
	}); code != 200 {
		t.Errorf("bearer: %d", code)
	}
	for _, host := range []string{"localhost:", "[::1]:", "127.9.9.9:"} {
		if code, _ := f.post(url, denied, func(r *http.Request) { r.Host = host + r.URL.Port() }); code != 200 {
			t.Errorf("%s: %d", host, code)
		}
	}
	if info, err := os.Stat(filepath.Join(f.dir, "http-token")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestHTTPTooLarge: an event that cannot be read blocks; another status than
// 200 would let the agent go on.
func TestHTTPTooLarge(t *testing.T) {
	f := serve(t, resident.Options{HTTP: "127.0.0.1:0", Large: 1 << 20})
	url := f.status().HTTP
	for _, size := range []int{2 << 20, 20 << 20} {
		code, body := f.post(url, bytes.Repeat([]byte(" "), size), func(*http.Request) {})
		if code != 200 || !strings.Contains(body, `"decision":"block","reason":"pawl: the event: it cannot be read: too many large events`) {
			t.Errorf("%d bytes: %d %s", size, code, body)
		}
	}
}

// TestHTTPAddress: it is for this machine alone.
func TestHTTPAddress(t *testing.T) {
	for address, want := range map[string]string{
		"0.0.0.0:0": "not a loopback address", ":0": "not a loopback address", "192.0.2.1:80": "not a loopback address",
		"example.com:80": "not a loopback address", "127.0.0.1": "missing port",
	} {
		home := t.TempDir()
		t.Setenv("HOME", home)
		err := resident.Run(t.Context(), resident.Options{Dir: filepath.Join(home, "run"), HTTP: address})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestHTTPToken: the token stays the same over restarts, and one that others
// can read is not used.
func TestHTTPToken(t *testing.T) {
	f := serve(t, resident.Options{HTTP: "127.0.0.1:0"})
	path := filepath.Join(f.dir, "http-token")
	before, err := os.ReadFile(path)
	if err != nil || len(before) < 20 {
		t.Fatal(err, string(before))
	}
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	err = resident.Run(t.Context(), resident.Options{Dir: f.dir, HTTP: "127.0.0.1:0"})
	if err == nil || !strings.Contains(err.Error(), "only you can read") {
		t.Errorf("%v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("%v", err)
	}
}

// TestHTTPStops: a stop ends calls by http too, and they are answered.
func TestHTTPStops(t *testing.T) {
	f := serve(t, resident.Options{HTTP: "127.0.0.1:0", Drain: 100 * time.Millisecond})
	url := f.status().HTTP
	dir, up, gone := f.running()
	answered := make(chan string, 1)
	go func() {
		_, body := f.post(url, in(dir, `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`), func(*http.Request) {})
		answered <- body
	}()
	up()
	if err := f.stop(); err != nil {
		t.Error(err)
	}
	if body := <-answered; !strings.Contains(body, `"permissionDecision":"deny"`) || !strings.Contains(body, "pawld was stopped") {
		t.Error(body)
	}
	gone()
}
