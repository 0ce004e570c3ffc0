package lua

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	glua "github.com/yuin/gopher-lua"
)

// TestHardened: a hardened chunk, with marks for its lines, does what the chunk does: the test suites
// of Lua 5.1 and of the machine, without the parts that are about
// coroutines, which policies do not have.
func TestHardened(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/gopher-lua").Output()
	root := strings.TrimSpace(string(dir))
	if err != nil || root == "" {
		t.Skip("the source of the Lua machine, which has the test suites, is not at hand")
	}
	suites := []string{"_glua-tests/goto", "_glua-tests/strings", "_glua-tests/table", "_lua5.1-tests/code",
		"_lua5.1-tests/events", "_lua5.1-tests/locals", "_lua5.1-tests/pm", "_lua5.1-tests/sort", "_lua5.1-tests/vararg"}
	for _, name := range suites {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(root, name+".lua"))
			if err != nil {
				t.Fatal(err)
			}
			opts := options("/p")
			if !strings.HasSuffix(name, "locals") { // it takes globals away, as no policy can
				opts.Lines = func(string, int, bool) {}
			}
			r := New(opts)
			chunk, err := parseText("local print = function() end "+string(data), name)
			if err != nil {
				t.Fatal(err)
			}
			proto, err := assemble(chunk, name, r.marker(name))
			if err != nil {
				t.Fatal(err)
			}
			s := r.newState("")
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			s.begin(ctx, time.Minute)
			s.L.OpenLibs()
			s.L.SetGlobal(fnLine, s.library.RawGetString(fnLine))
			s.L.SetMetatable(glua.LString(""), s.L.GetGlobal("string"))
			if err := s.L.PCall(s.pushChunk(proto, s.L.G.Global), 0, nil); err != nil {
				t.Error(err)
			}
		})
	}
}
