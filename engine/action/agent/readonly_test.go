//go:build unix

package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/engine/action/agent"
	"github.com/pawl-dev/pawl/engine/answer"
)

// put writes a file, with the directories above it.
func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// workspace is a project with a way out at every corner.
func workspace(t *testing.T) (root string) {
	dir := t.TempDir()
	root = filepath.Join(dir, "work")
	put(t, filepath.Join(dir, "outside.txt"), "secret")
	put(t, filepath.Join(root, "a.go"), "package a\n// TODO one\r\nfunc A() {}\n")
	put(t, filepath.Join(root, "src/deep/b.go"), "// TODO "+strings.Repeat("é", 400)+"\n")
	put(t, filepath.Join(root, "src/notes.md"), "no TODO in code\n")
	put(t, filepath.Join(root, ".env"), "KEY=secret\n")
	put(t, filepath.Join(root, ".git/config"), "TODO secret\n")
	put(t, filepath.Join(root, "picture.png"), "TODO\x00")
	put(t, filepath.Join(root, "long.txt"), strings.Repeat("0123456789012345678901234567890123456789\n", 1000))
	put(t, filepath.Join(root, "huge.txt"), strings.Repeat("0123456789abcdef\n", 80_000))
	for link, to := range map[string]string{"out": "../outside.txt", "up": "..", "abs": filepath.Join(dir, "outside.txt"), "in": "a.go", "env": ".env"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

// The tools see the workspace and nothing else.
func TestReadOnly(t *testing.T) {
	root := workspace(t)
	tools := map[string]agent.Tool{}
	for _, tool := range agent.ReadOnly() {
		tools[tool.Name] = tool
	}
	mayRead := func(path string) string {
		if real, _ := filepath.EvalSymlinks(path); filepath.Base(real) == ".env" {
			return "denied by the rule Read(.env)"
		}
		return ""
	}
	for _, tt := range []struct{ tool, input, want, fault string }{
		{"read", `{"path":"a.go"}`, "package a\n// TODO one\r\nfunc A() {}\n", ""},
		{"read", `{"path":"ROOT/src/../a.go","offset":2,"limit":1}`, "// TODO one\r\n\n[lines 2 to 2 of 4]", ""},
		{"read", `{"path":"a.go","offset":99}`, "\n[lines 4 to 4 of 4]", ""},
		{"read", `{"path":"in"}`, "package a\n// TODO one\r\nfunc A() {}\n", ""},
		{"read", `{"path":"long.txt","offset":10}`, "\n[lines 10 to 403 of 1001]", ""},
		{"read", `{"path":"huge.txt","offset":61000}`, " of more than 61681]", ""},
		{"read", `{"path":"../outside.txt"}`, "", "is outside of the workspace"},
		{"read", `{"path":"/etc/passwd"}`, "", "is outside of the workspace"},
		{"read", `{"path":"ROOT/../outside.txt"}`, "", "is outside of the workspace"},
		{"read", `{"path":"out"}`, "", "cannot be read: path escapes from parent"},
		{"read", `{"path":"up/outside.txt"}`, "", "cannot be read: path escapes from parent"},
		{"read", `{"path":"abs"}`, "", "cannot be read: path escapes from parent"},
		{"read", `{"path":".env"}`, "", "may not be read: denied by the rule Read(.env)"},
		{"read", `{"path":"env"}`, "", "may not be read"},
		{"read", `{"path":"none"}`, "", "none cannot be read: no such file"},
		{"read", `{"path":"src"}`, "", "src is not a file"},
		{"read", `{"path":"pipe"}`, "", "pipe is not a file"},
		{"read", `{"path":"picture.png"}`, "", "picture.png is not a text"},
		{"read", `{}`, "", "is not a file"},
		{"read", `{"path":1}`, "", "is not a file"},

		{"glob", `{"pattern":"*.go"}`, "a.go\nsrc/deep/b.go\n", ""},
		{"glob", `{"pattern":"src/**/*.go"}`, "src/deep/b.go\n", ""},
		{"glob", `{"pattern":"./src/*"}`, "src/notes.md\n", ""},
		{"glob", `{"pattern":"**"}`, ".env\na.go\nabs\nenv\nhuge.txt\nin\nlong.txt\nout\npicture.png\npipe\nsrc/deep/b.go\nsrc/notes.md\nup\n", ""},
		{"glob", `{"pattern":"../*"}`, "nothing found\n", ""},
		{"glob", `{"pattern":"[a"}`, "nothing found\n", ""},
		{"glob", `{}`, "", "pattern: missing"},

		{"grep", `{"pattern":"TODO"}`, "a.go:2:// TODO one\nin:2:// TODO one\nsrc/deep/b.go:1:// TODO ", ""},
		{"grep", `{"pattern":"TODO|KEY","glob":"*.md"}`, "src/notes.md:1:no TODO in code\n", ""},
		{"grep", `{"pattern":"(?i)todo","path":"src/deep"}`, "src/deep/b.go:1:// TODO " + strings.Repeat("é", 146) + "…\n", ""},
		{"grep", `{"pattern":"secret|KEY"}`, "nothing found\n[7 files are no texts, or may not be read]\n", ""},
		{"grep", `{"pattern":"^0"}`, "[there is more: look for something narrower]\n", ""},
		{"grep", `{"pattern":"x","path":".."}`, "", "is outside of the workspace"},
		{"grep", `{"pattern":"x","path":"none"}`, "", "none cannot be read"},
		{"grep", `{"pattern":"("}`, "", "expected a regular expression"},
		{"grep", `{}`, "", "expected a regular expression"},
	} {
		input, err := answer.Payload([]byte(strings.ReplaceAll(tt.input, "ROOT", root)))
		if err != nil {
			t.Fatal(err)
		}
		text, err := tools[tt.tool].Run(t.Context(), agent.Use{Root: root, Input: input, MayRead: mayRead})
		switch {
		case tt.fault != "":
			if err == nil || !strings.Contains(err.Error(), tt.fault) || strings.Contains(text+err.Error(), "secret") {
				t.Errorf("%s %s: %q, %v, want %q", tt.tool, tt.input, text, err, tt.fault)
			}
		case err != nil || !strings.Contains(text, tt.want) || tt.tool != "read" && !strings.HasPrefix(text, tt.want) && !strings.HasPrefix(tt.want, "["):
			t.Errorf("%s %s: %.200q, %v, want %q", tt.tool, tt.input, text, err, tt.want)
		case len(text) > 64<<10 || strings.Contains(text, "secret"):
			t.Errorf("%s %s: %d bytes: %.200q", tt.tool, tt.input, len(text), text)
		}
	}
}

// Without a workspace there is nothing to look into, and a walk ends with its
// context.
func TestNoWorkspace(t *testing.T) {
	root := workspace(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tool := range agent.ReadOnly() {
		input, _ := answer.Object("path", "a.go", "pattern", "x")
		if text, err := tool.Run(t.Context(), agent.Use{Root: filepath.Join(root, "gone"), Input: input}); err == nil {
			t.Errorf("%s: %q", tool.Name, text)
		}
		input, _ = answer.Object("pattern", "x")
		if text, err := tool.Run(ctx, agent.Use{Root: root, Input: input}); err == nil {
			t.Errorf("%s: %q after the end", tool.Name, text)
		}
	}
}

// A large workspace is looked at in part, and that is said.
func TestLargeWorkspace(t *testing.T) {
	root := t.TempDir()
	for i := range 600 {
		put(t, filepath.Join(root, fmt.Sprintf("d%d", i%10), fmt.Sprintf("%03d.txt", i)), "x\n")
	}
	input, _ := answer.Object("pattern", "*.txt")
	for _, tool := range agent.ReadOnly() {
		if tool.Name != "glob" {
			continue
		}
		text, err := tool.Run(t.Context(), agent.Use{Root: root, Input: input})
		if err != nil || strings.Count(text, "\n") != 501 || !strings.HasSuffix(text, "[there is more: look for something narrower]\n") {
			t.Errorf("%d lines, %v", strings.Count(text, "\n"), err)
		}
	}
}
