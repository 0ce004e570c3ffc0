package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/process"
)

const maxText = 64 << 10 // bytes of what a tool returns

// Tool is something that a model may call.
type Tool struct {
	Name, About string
	Params      []string // all texts, all required
	Run         func(ctx context.Context, in engine.Object) (string, error)
}

// workbench is where the tools work.
type workbench struct {
	dir    string
	files  *os.Root // no path leads out of dir
	client *http.Client
}

func (w *workbench) tools() []*Tool {
	return []*Tool{
		{"Bash", "runs a shell command", []string{"command"}, w.bash},
		{"Read", "reads a file", []string{"file_path"}, w.read},
		{"Write", "writes a file", []string{"file_path", "content"}, w.write},
		{"Edit", "replaces a text that a file has once", []string{"file_path", "old_string", "new_string"}, w.edit},
		{"WebFetch", "fetches a page", []string{"url"}, w.fetch},
	}
}

func (w *workbench) bash(ctx context.Context, in engine.Object) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	out, err := process.Run(ctx, process.Command{Argv: []string{"bash", "-c", in.Text("command")}, Dir: w.dir, MaxOutput: maxText})
	text := string(out.Stdout) + string(out.Stderr)
	switch {
	case err != nil:
		return text, err
	case out.Code != 0:
		return text, fmt.Errorf("exit code %d: %s", out.Code, strings.TrimSpace(text))
	}
	return text, nil
}

// name is the path below the workspace, as files wants it.
func (w *workbench) name(in engine.Object) string {
	path := in.Text("file_path")
	if rel, err := filepath.Rel(w.dir, path); err == nil && filepath.IsAbs(path) {
		return rel
	}
	return path
}

func (w *workbench) read(_ context.Context, in engine.Object) (string, error) {
	f, err := w.files.Open(w.name(in))
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxText))
	return string(data), err
}

func (w *workbench) write(_ context.Context, in engine.Object) (string, error) {
	path := w.name(in)
	if err := w.files.WriteFile(path, []byte(in.Text("content")), 0o600); err != nil {
		return "", err
	}
	return "wrote " + path, nil
}

func (w *workbench) edit(_ context.Context, in engine.Object) (string, error) {
	path := w.name(in)
	data, err := w.files.ReadFile(path)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(data), in.Text("old_string")); n != 1 {
		return "", fmt.Errorf("%s has the text %d times, expected once", path, n)
	}
	text := strings.Replace(string(data), in.Text("old_string"), in.Text("new_string"), 1)
	if err := w.files.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", err
	}
	return "edited " + path, nil
}

// fetch follows no redirect: the page behind one is another that the policy
// has not judged.
func (w *workbench) fetch(ctx context.Context, in engine.Object) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, in.Text("url"), nil)
	if err != nil {
		return "", err
	}
	resp, err := w.client.Do(req)
	if err != nil {
		return "", errors.Unwrap(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxText))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = errors.New(resp.Status)
	}
	return string(data), err
}
