package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// files is the workspace of the story.
//
//go:embed workspace
var files embed.FS

// play lets the agent live through a story with every event: in a copy of the
// workspace, with a model and a web that are scripts.
func play(ctx context.Context, screen *Screen, person func(string) bool) (err error) {
	home, err := os.MkdirTemp("", "agent")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	workspace, err := fs.Sub(files, "workspace")
	if err != nil {
		return err
	}
	dir := filepath.Join(home, "workspace")
	if err := os.CopyFS(dir, workspace); err != nil {
		return err
	}
	h, err := NewHost(ctx, Options{Dir: dir, Home: home, Trust: true, Screen: screen, Allow: person,
		Model: newScript(), Client: &http.Client{Transport: roundTrip(web)}})
	if err != nil {
		return err
	}
	return errors.Join(tell(ctx, h), h.Close(ctx))
}

// tell is the story: turns of a person, and edits of the policy between them.
func tell(ctx context.Context, h *Host) error {
	a := h.Main()
	h.screen.Title("A session begins")
	if err := a.Start(ctx); err != nil {
		return err
	}
	defer a.End(context.WithoutCancel(ctx), "prompt_input_exit")
	turn := func(prompt string) error {
		h.screen.Title("You: " + prompt)
		_, err := a.Turn(ctx, prompt)
		return err
	}
	if err := turn("The total of the cart is not rounded. Mend it."); err != nil {
		return err
	}
	h.screen.Title("Somebody edits the policy: no force pushes")
	if err := h.edit(ctx, `deny: ["`, `deny: ["Bash(git push {--force,-f} *)", "`); err != nil {
		return err
	}
	h.screen.Title("Somebody removes a rule; a hook does not let it happen")
	if err := h.edit(ctx, "  - name: outside\n    on: PreToolUse\n    match: WebFetch\n    decision: ask\n    reason: \"this leaves the machine\"\n", ""); err != nil {
		return err
	}
	if err := turn("Push it, and clean up."); err != nil {
		return err
	}
	return turn("Now the rest: sums, prices, publishing. Have it reviewed.")
}

// edit changes the policy as an editor does, and waits until the watcher has
// seen it.
func (h *Host) edit(ctx context.Context, before, after string) error {
	file := filepath.Join(h.bench.dir, "pawl.yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text := strings.Replace(string(data), before, after, 1)
	if text == string(data) {
		return fmt.Errorf("the policy does not have %q", before)
	}
	draft := filepath.Join(filepath.Dir(h.bench.dir), "draft")
	if err := errors.Join(os.WriteFile(draft, []byte(text), 0o600), os.Rename(draft, file)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	select {
	case <-h.changes:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("no reload: %w", ctx.Err())
	}
}

// roundTrip is a web that is a func.
type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip answers a request.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// web knows one page.
func web(r *http.Request) (*http.Response, error) {
	if r.URL.Host != "rounding.example" {
		return nil, fmt.Errorf("lookup %s: no such host", r.URL.Host)
	}
	return &http.Response{Status: "200 OK", StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(strings.NewReader("1.999 rounds to 2.00"))}, nil
}
