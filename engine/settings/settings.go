package settings

import (
	"slices"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Options says what to load.
type Options struct {
	// Workspace is the project root. It may be empty if Files are named: the
	// root is then the directory of the first one.
	Workspace string
	// Files, if any, are the only files read beside the managed layer. They
	// have the rank of the project and are trusted: somebody named them.
	Files []string
	// Claude reads the settings.json files of ~/.claude and .claude too, and
	// the plugins that enabledPlugins turns on.
	Claude bool
	// Trusts reports whether a workspace is trusted; an untrusted one turns no
	// plugin of the user off. nil: none is.
	Trusts func(root string) bool
	// Home is the user's home directory; "" means there is no user layer.
	Home string
	// ConfigHome is $XDG_CONFIG_HOME; "" means Home/.config.
	ConfigHome string
	// Managed is the directory of the managed layer; "" means /etc/pawl.
	Managed string
	// Overlay stands in for files of the disk; nil for none.
	Overlay *hook.Overlay
	// Pins stand in for all files of the workspace's own layers, before
	// Overlay; nil if nothing is pinned.
	Pins *hook.Overlay
}

// Switches are the gates and the default that a file may set. A switch that
// is not Set says nothing; the nearer file decides.
type Switches struct {
	DisableAllHooks, DisableAllHooksSet             bool
	AllowManagedHooksOnly, AllowManagedHooksOnlySet bool // managed files only
	FailClosed, FailClosedSet                       bool
}

// File is what one settings file says.
type File struct {
	Source hook.Source
	Hash   string // SHA-256 of its bytes in hex; "" if it could not be read
	Text   []byte // its bytes; nil if it could not be read
	// Trusted: its hooks run without asking whether the workspace is trusted.
	// True for managed files and for those that Options.Files names.
	Trusted bool

	Specs       []hook.Spec // hooks first, then rules, each in file order
	Permissions []hook.PermissionRule
	Policies    []hook.Text // Lua files or directories, relative to Source.Dir
	Plugins     []hook.Text // directories of plugins, relative to Source.Dir
	Enabled     []PluginSwitch
	// Tasks and Subagents are in file order: of those that fit, the first
	// one counts.
	Tasks, Subagents []Recovery
	Switches
	// Raw are the top-level keys whose meaning belongs to others: wrappers,
	// mcpServers, models, allowedHttpHookUrls, httpHookAllowedEnvVars.
	Raw []hook.Field

	Diagnostics []hook.Diagnostic
	// Broken: something of unknown reach is lost, so that no event can be
	// said to be judged by this file. One of Diagnostics says what.
	Broken bool
}

// Set is the outcome of one load. It is frozen.
type Set struct {
	Files []File // in the order of their layers, then as section "Layers" lists them
	Root  string // project root, absolute

	looked []string
}

// Sources returns every file that was looked at, also those that do not
// exist, and the directories whose listing matters; sorted.
func (s Set) Sources() []string { return slices.Clone(s.looked) }
