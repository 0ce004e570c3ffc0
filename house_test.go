// Package house_test holds the rules of the house: what may import what, and
// what every file must keep. Each rule says why; CONTRIBUTING.md lists them.
package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/pawl-dev/pawl"

// row says what one package may import directly: what is not named is
// forbidden. Paths are relative to the module; a trailing /... stands for all
// packages below.
type row struct {
	pkg     string
	ours    []string
	modules []string // third party
	why     string
	planned bool // the package does not exist yet; the mark goes when it does
}

const (
	hooks    = "engine/hook"
	answers  = "engine/answer"
	children = "engine/process"
	requests = "engine/outbound"

	cliPkg      = "cmd/internal/cli"
	callPkg     = "cmd/internal/call"
	wirePkg     = "cmd/internal/wire"
	hookcmdPkg  = "cmd/internal/hookcmd"
	residentPkg = "cmd/internal/resident"
	auditPkg    = "cmd/internal/audit"
	logviewPkg  = "cmd/internal/logview"
	trustcmdPkg = "cmd/internal/trustcmd"
	authorPkg   = "cmd/internal/authorcmd"
)

var (
	leaf    = []string{hooks}
	leaving = []string{hooks, answers, children, requests}
	core    = []string{hooks, answers, children, "engine/settings", "engine/store", "engine/action/command", "rules"}
	top     = append(slices.Clone(core), "engine", "rules/shell")
)

var house = []row{
	{pkg: hooks, why: "the vocabulary is what all share, so it may depend on nothing but the standard library"},
	{pkg: answers, ours: leaf, modules: []string{"github.com/go-json-experiment/json"}, why: "one strict decoder; strict JSON needs jsontext"},
	{pkg: children, ours: leaf, why: "starting a child must stay auditable: standard library only"},
	{pkg: requests, ours: leaf, why: "what a request may reach must stay auditable: standard library only"},
	{pkg: "engine/store", ours: leaf, why: "the memory store is in every embedder"},
	{pkg: "engine/store/disk", ours: []string{hooks, "engine/store"}, why: "only commands link it; it knows no more than the interface it implements"},
	{pkg: "rules/shell", ours: leaf, modules: []string{"mvdan.cc/sh/v3"}, why: "the shell parser stays behind one package"},
	{pkg: "rules", ours: []string{hooks, "rules/shell"},
		modules: []string{"github.com/expr-lang/expr", "github.com/bmatcuk/doublestar/v4", "github.com/dlclark/regexp2/v2"},
		why:     "patterns and conditions know facts, not hooks that run"},
	{pkg: "lua", ours: leaf, modules: []string{"github.com/yuin/gopher-lua"}, why: "the script runtime is handed what it needs of others as funcs"},
	{pkg: "engine/settings", ours: []string{hooks, answers, "rules"}, modules: []string{"gopkg.in/yaml.v3", "github.com/go-json-experiment/json"},
		why: "files become plain data; nothing here runs"},
	{pkg: "engine/task", ours: leaf, why: "task hooks are handed Dispatch as a func"},
	{pkg: "engine/subagent", ours: leaf, why: "subagent hooks are handed Dispatch as a func"},
	{pkg: "engine/action/command", ours: leaving, why: "the one hook type that every embedder links"},
	{pkg: "engine/action/webhook", ours: leaving, why: "an action knows the vocabulary and the decoder, never the engine"},
	{pkg: "engine/action/mcptool", ours: leaving, modules: []string{"github.com/modelcontextprotocol/go-sdk"}, why: "the MCP SDK stays in one package"},
	{pkg: "engine/action/prompt", ours: leaving, why: "an action knows the vocabulary and the decoder, never the engine"},
	{pkg: "engine/action/agent", ours: append(slices.Clone(leaving), "engine/action/prompt"), why: "an agent asks and is read as a prompt is; it only may look before it answers"},
	{pkg: "engine/model", ours: leaving, why: "model adapters are plain HTTP and not reachable from engine"},
	{pkg: "engine", ours: append(slices.Clone(core), "lua", "engine/task", "engine/subagent"), why: "an embedder pays for what is linked here; third parties come only through those below"},
	{pkg: "engine/dialect", ours: top, why: "a wire format translates; it brings no dependency"},
	{pkg: "engine/enginetest", ours: top, why: "a conformance suite must not bring dependencies to those who run it"},
	{pkg: "engine/policytest", ours: append(slices.Clone(top), "engine/dialect", "engine/task", "engine/subagent", "lua"), modules: []string{"gopkg.in/yaml.v3"},
		why: "tests of policies go the way of an event, from bytes to bytes, or that of a failure"},
	{pkg: "engine/standard", ours: append(slices.Clone(top), "engine/action/agent", "engine/action/mcptool", "engine/action/prompt", "engine/action/webhook", "engine/model"),
		why: "a list of types and nothing else"},
	{pkg: "watcher", modules: []string{"github.com/fsnotify/fsnotify"}, why: "it knows files and one small interface, not the engine"},
	{pkg: cliPkg, ours: leaf, modules: []string{"github.com/go-json-experiment/json"}, why: "the command line knows no engine"},
	{pkg: callPkg, ours: append(slices.Clone(top), "engine/dialect", "engine/store/disk", "lua"), why: "one hook call is what both programs run; it brings nothing of its own"},
	{pkg: wirePkg, ours: []string{callPkg, "engine", "engine/dialect"}, modules: []string{"golang.org/x/sys/unix"}, why: "the client is on the way of every tool call"},
	{pkg: hookcmdPkg, ours: []string{auditPkg, callPkg, cliPkg, wirePkg, hooks, "engine", "engine/dialect"}, why: "the hook command is the same in both programs"},
	{pkg: residentPkg, ours: []string{callPkg, wirePkg, hooks, "engine", "engine/dialect", "watcher"}, why: "the resident engine answers by package call and adds no rules of its own"},
	{pkg: trustcmdPkg, ours: []string{callPkg, cliPkg, hooks, "engine", "engine/settings"}, why: "the trust command is the same in both programs"},
	{pkg: authorPkg, ours: append(slices.Clone(top), "engine/dialect", "engine/policytest", "lua", callPkg, cliPkg, hookcmdPkg),
		why: "the commands for authors are the same in both programs"},
	{pkg: "cmd/pawl", ours: append(slices.Clone(top), "engine/dialect", "engine/policytest", "lua", callPkg, cliPkg, hookcmdPkg, trustcmdPkg, authorPkg), modules: []string{"github.com/go-json-experiment/json"},
		why: "started on every tool call, so it links the core only"},
	{pkg: "cmd/pawld", ours: []string{callPkg, cliPkg, wirePkg, hookcmdPkg, logviewPkg, residentPkg, trustcmdPkg, authorPkg, "engine", "engine/standard"}, why: "everything heavy is linked here, and nothing of it is written here"},
	{pkg: auditPkg, ours: leaf, why: "both programs write the log; it is on the way of pawl hook, so it knows the vocabulary only"},
	{pkg: logviewPkg, ours: []string{auditPkg, cliPkg, hooks}, why: "whoever reads the log needs no engine"},
	{pkg: "examples/agent", ours: []string{"engine", hooks, children, "engine/task", "engine/subagent", "watcher"},
		why: "a whole agent imports what an embedder does: nothing that the guide does not name"},
	{pkg: "examples/embed", ours: []string{"engine"}, why: "embedding takes one import"},
	{pkg: "examples/services", ours: []string{"engine", "engine/action/webhook", "engine/action/mcptool"}, modules: []string{"github.com/modelcontextprotocol/go-sdk"},
		why: "a host that links two more hook types, and the services that they ask"},
	{pkg: "examples/models", ours: []string{"engine", "engine/standard"}, why: "a host that links all hook types needs one import more"},
	{pkg: "examples/policies", why: "policies and their cases; no Go code of its own"},
	{pkg: "examples/commands", why: "a policy that runs scripts, and its test; no Go code of its own"},
	{pkg: "examples/service", why: "files for systemd and launchd and their test; no Go code of its own"},
	{pkg: "examples/policy", why: "a policy and its test; no Go code of its own"},
	{pkg: "", why: "the root holds these tests only"},
}

// banned is what no embedder shall link, however indirectly.
var banned = map[string]string{
	"net/http":                 "a policy engine in the agent's process needs no network stack",
	"github.com/fsnotify":      "hot reload is the choice of the host",
	"go.opentelemetry.io":      "the host has its own tracing; observers are funcs",
	"github.com/modelcontextp": "the MCP SDK is for those who link mcp_tool",
}

const maxModules = 8 // third-party modules linked by engine

// listed is what go list says of one package.
type listed struct {
	ImportPath string
	Imports    []string
	GoFiles    []string
	Standard   bool
	Module     *struct{ Path string }
}

func goList(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,GoFiles,Standard,Module"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v\n%s", args, err, stderr.Bytes())
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// short is an import path relative to the module, and whether it is ours.
func short(path string) (string, bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

func TestImports(t *testing.T) {
	exists := map[string]bool{}
	for _, p := range goList(t, "./...") {
		name, _ := short(p.ImportPath)
		exists[name] = true
		i := slices.IndexFunc(house, func(r row) bool { return r.pkg == name })
		if i < 0 {
			t.Errorf("package %q has no row in the table: say what it may import and why", name)
			continue
		}
		checkImports(t, house[i], p.Imports)
	}
	for _, r := range house {
		switch {
		case r.planned && exists[r.pkg]:
			t.Errorf("package %q exists now: remove the planned mark of its row", r.pkg)
		case !r.planned && !exists[r.pkg]:
			t.Errorf("the table has a rule for %q, which does not exist", r.pkg)
		}
	}
}

func checkImports(t *testing.T, r row, imports []string) {
	for _, path := range imports {
		if name, ours := short(path); ours {
			if !slices.Contains(r.ours, name) {
				t.Errorf("%s imports our %s: %s", r.pkg, name, r.why)
			}
			continue
		}
		host, _, _ := strings.Cut(path, "/")
		thirdParty := strings.Contains(host, ".")
		if thirdParty && !slices.ContainsFunc(r.modules, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") }) {
			t.Errorf("%s imports %s: %s", r.pkg, path, r.why)
		}
	}
}

func TestEngineStaysLight(t *testing.T) {
	modules := map[string]bool{}
	for _, p := range goList(t, "-deps", "./engine") {
		for path, why := range banned {
			if strings.HasPrefix(p.ImportPath, path) {
				t.Errorf("engine links %s: %s", p.ImportPath, why)
			}
		}
		if p.Module != nil && p.Module.Path != module {
			modules[p.Module.Path] = true
		}
	}
	if len(modules) > maxModules {
		t.Errorf("engine links %d third-party modules, at most %d are wanted: %v", len(modules), maxModules, modules)
	}
}
