package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// programs is the directory of both programs, as they are installed.
var programs string

func TestMain(m *testing.M) {
	if path := os.Getenv(echoAt); path != "" {
		echo(path) // until it is killed
		return
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pawld-test-")
	if err == nil {
		defer os.RemoveAll(dir)
		programs = dir
		build := exec.Command("go", "build", "-o", dir, "../pawl", ".")
		build.Stderr = os.Stderr
		err = build.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "building pawl and pawld:", err)
		return 1
	}
	return m.Run()
}

// blocks is a server that has something against every event: for an http hook
// and, in the words of an API, for one that asks a model.
func blocks(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/unasked" {
		unasked(w)
		return
	}
	text := fmt.Sprintf(`{"decision":"block","reason":"from %s"}`, strings.TrimPrefix(r.URL.Path, "/"))
	if strings.HasSuffix(r.URL.Path, "/chat/completions") {
		text = fmt.Sprintf(`{"choices":[{"message":{"content":%q}}]}`, text)
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, text)
}

// unasked blocks, and sends more than it has announced.
func unasked(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	const body = `{"decision":"block","reason":"no"}`
	fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%[2]s%[2]s", len(body), body)
}

// TestScripts runs testdata/script/pawld: both programs from outside, in a
// home and a directory of their own, with $SERVER beside them.
func TestScripts(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(blocks))
	t.Cleanup(server.Close)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script", "pawld"),
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("XDG_RUNTIME_DIR", filepath.Join(e.WorkDir, "run"))
			e.Setenv("PATH", programs+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("PROGRAMS", programs)
			e.Setenv("SERVER", server.URL)
			if err := os.Mkdir(filepath.Join(e.WorkDir, "run"), 0o700); err != nil {
				return err
			}
			return os.Mkdir(filepath.Join(e.WorkDir, "home"), 0o700)
		},
	})
}
