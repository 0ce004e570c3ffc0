//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package logview

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/audit"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
)

// following runs log --follow on a log and returns the lines that it prints.
func following(t *testing.T, path string, v view) *bufio.Scanner {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	in, out := io.Pipe()
	ended := make(chan error, 1)
	v.file, v.follow, v.now, v.pause = path, true, time.Now, time.Millisecond
	go func() {
		ended <- v.run(ctx, &cli.Console{Out: bufio.NewWriter(out), Err: io.Discard})
		out.Close()
	}()
	t.Cleanup(func() {
		cancel()
		in.Close()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	})
	return bufio.NewScanner(in)
}

func appendTo(t *testing.T, path string, subjects ...string) {
	t.Helper()
	l := audit.New(audit.Options{Path: path, MaxSize: 600, Wait: time.Minute})
	for _, s := range subjects {
		if err := l.Append(audit.Record{Event: "PreToolUse", Verdict: "none", Subject: s}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// expect fails unless the next lines are records with these subjects.
func expect(t *testing.T, lines *bufio.Scanner, subjects ...string) {
	t.Helper()
	for _, want := range subjects {
		if !lines.Scan() {
			t.Fatalf("the output ends before %q: %v", want, lines.Err())
		}
		var r audit.Record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil || r.Subject != want {
			t.Fatalf("%s, want %q, %v", lines.Text(), want, err)
		}
	}
}

func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit", "log")
	lines := following(t, path, view{last: -1, json: true})
	appendTo(t, path, "a", "b") // the log begins to exist
	expect(t, lines, "a", "b")
	for round := range 6 { // 600 bytes are four records: this rotates
		var subjects []string
		for n := range 7 {
			subjects = append(subjects, fmt.Sprint(round, "-", n))
		}
		appendTo(t, path, subjects...)
		expect(t, lines, subjects...)
	}
	if _, err := os.Stat(path + ".4"); err != nil {
		t.Errorf("it has hardly been rotated: %v", err)
	}

	// A torn line is waited for, then skipped.
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.WriteString(`{"time":"2026`)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, "after the torn one")
	expect(t, lines, "after the torn one")

	// Files that are removed or emptied are begun again.
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, "in a new file", "and one that makes it longer than what follows")
	expect(t, lines, "in a new file", "and one that makes it longer than what follows")
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, "in the emptied one")
	expect(t, lines, "in the emptied one")
}

// What is followed begins with the last ones there are, and is filtered.
func TestFollowFrom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	var subjects []string
	for n := range 23 {
		subjects = append(subjects, fmt.Sprint(n))
	}
	appendTo(t, path, subjects...)
	lines := following(t, path, view{last: -1, json: true})
	expect(t, lines, subjects[13:]...)
	appendTo(t, path, "x")
	expect(t, lines, "x")

	asked := following(t, path, view{last: 1, json: true, filter: filter{tool: "Bash"}})
	l := audit.New(audit.Options{Path: path, Wait: time.Minute})
	defer l.Close()
	for _, tool := range []string{"Read", "Bash"} {
		if err := l.Append(audit.Record{Tool: tool, Subject: "by " + tool, Verdict: "none"}); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, asked, "by Bash")
}

// The table of many more hooks than are counted stays bounded.
func TestManyHooks(t *testing.T) {
	s := newStats()
	for n := range 3 * maxHooks {
		s.add(&audit.Line{Record: audit.Record{Verdict: "none", Hooks: []audit.Run{{ID: fmt.Sprint("h", n), Verdict: "deny"}, {ID: "h0", Verdict: "ask"}}}})
	}
	var b bytes.Buffer
	c := &cli.Console{Out: bufio.NewWriter(&b)}
	s.write(c, time.UTC)
	c.Out.Flush()
	if rows := strings.Count(b.String(), "\n"); rows != maxHooks+7 || !strings.Contains(b.String(), "\nh0 ") || !strings.Contains(b.String(), fmt.Sprintf("\nall others   %d  %d", 2*maxHooks, 2*maxHooks)) {
		t.Errorf("%d lines:\n%.600s", rows, b.String())
	}
}
