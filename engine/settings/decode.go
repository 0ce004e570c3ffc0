package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// decoder turns the tree of one text into its File.
type decoder struct {
	text *text
	File
	groups int                      // parallel groups so far
	rules  map[string]hook.Position // names of rules so far
}

// maxProblems is the most that is said of one file.
const maxProblems = 1000

// report records a Diagnostic and returns it.
func (d *decoder) report(sev hook.Severity, pos hook.Position, path, message, advice string) *hook.Diagnostic {
	diag := hook.Diagnostic{Severity: sev, Pos: pos, Path: path, Message: message, Advice: advice}
	switch n := len(d.Diagnostics); {
	case n < maxProblems:
		d.Diagnostics = append(d.Diagnostics, diag)
	case n == maxProblems:
		d.lost(hook.Diagnostic{Pos: pos, Message: fmt.Sprintf("more than %d problems in this file: the rest is not listed", maxProblems)})
	}
	return &diag
}

// fail records an error at n.
func (d *decoder) fail(n *node, message, advice string) *hook.Diagnostic {
	return d.report(hook.Error, n.pos, n.path(), message, advice)
}

// want records that n is not what is wanted.
func (d *decoder) want(n *node, what, advice string) *hook.Diagnostic {
	return d.fail(n, fmt.Sprintf("expected %s, got %s", what, n.describe()), advice)
}

// lost records an error whose reach is unknown.
func (d *decoder) lost(diag hook.Diagnostic) {
	diag.Severity = hook.Error
	d.Diagnostics = append(d.Diagnostics, diag)
	d.Broken = true
}

// own records the faults of n itself and returns the first.
func (d *decoder) own(n *node) (first *hook.Diagnostic) {
	for _, f := range n.faults {
		if diag := d.report(hook.Error, f.pos, n.sub(f.key), f.message, f.advice); first == nil {
			first = diag
		}
	}
	return first
}

// faults records all faults of n and below, and returns the first.
func (d *decoder) faults(n *node) *hook.Diagnostic {
	if !n.faulty {
		return nil
	}
	first := d.own(n)
	for _, c := range n.children() {
		if diag := d.faults(c); first == nil {
			first = diag
		}
	}
	return first
}

// The keys that a settings file may have, and those of Claude Code that look
// like one of them and are not.
var (
	topKeys = []string{"hooks", "rules", "policies", "permissions", "plugins", "enabledPlugins", "tasks", "subagents", "failClosed", "disableAllHooks",
		"allowManagedHooksOnly", "wrappers", "mcpServers", "models", "allowedHttpHookUrls", "httpHookAllowedEnvVars"}
	rawKeys = []string{"wrappers", "mcpServers", "models", "allowedHttpHookUrls", "httpHookAllowedEnvVars"}
	// guardKeys are those that a policy is lost with if they are misspelt;
	// decoys are words of their own that resemble one of them.
	guardKeys = []string{"hooks", "rules", "permissions", "policies", "plugins", "failClosed", "wrappers"}
	decoys    = []string{"tools", "roles", "modules", "models", "profiles", "title", "books", "notes", "name", "policy_version"}

	foreignKeys = []string{"allowManagedModsOnly", "allowManagedMcpServersOnly", "allowManagedPermissionRulesOnly", "tools", "roles", "modules", "model"}
)

func (d *decoder) top(root *node) {
	if root.kind != mapNode {
		d.want(root, "a mapping with keys such as hooks and rules", "")
		d.Broken = true
		return
	}
	if d.own(root) != nil {
		d.Broken = true
	}
	events := slices.ContainsFunc(root.members, func(m member) bool { return isEvent(m.name) })
	for _, m := range root.members {
		switch {
		case isEvent(m.name) && root.get("hooks") != nil:
			d.report(hook.Warning, m.pos, root.sub(m.name), "event beside hooks", "move it under hooks")
			d.event(root, m)
		case isEvent(m.name), events && m.value.isGroups() && !slices.Contains(topKeys, m.name):
			d.event(root, m)
		default:
			d.topKey(root, m)
		}
	}
}

func isEvent(name string) bool {
	_, known := hook.Lookup(hook.EventName(name))
	return known
}

func (d *decoder) topKey(root *node, m member) {
	switch m.name {
	case "hooks":
		d.hooks(m.value)
	case "rules":
		d.ruleList(m.value)
	case "policies":
		d.Policies = d.guards(m.value, "a list of files or directories", "write [policies/]")
	case "plugins":
		d.plugins(m)
	case "enabledPlugins":
		d.enabled(m)
	case "permissions":
		d.permissions(m.value)
	case "tasks", "subagents":
		d.aroundKey(m)
	case "failClosed":
		d.flag(m, &d.FailClosed, &d.FailClosedSet, true)
	case "disableAllHooks":
		if d.inPlugin(m) {
			return
		}
		d.flag(m, &d.DisableAllHooks, &d.DisableAllHooksSet, false)
	case "allowManagedHooksOnly":
		if d.Source.Layer != hook.Managed {
			d.report(hook.Warning, m.pos, m.name, "has no effect: only managed files may set it", "")
			return
		}
		d.flag(m, &d.AllowManagedHooksOnly, &d.AllowManagedHooksOnlySet, true)
	default:
		if slices.Contains(rawKeys, m.name) {
			d.raw(m)
			return
		}
		d.unknownTop(root, m)
	}
}

// flag reads a switch. One that cannot be read is taken as the value that
// does not loosen, or left alone.
func (d *decoder) flag(m member, on, set *bool, tightens bool) {
	advice := ""
	if tightens {
		advice = "taken as true until then"
	}
	bad := d.truth(m.value, on, advice)
	*on = *on || bad != nil && tightens
	*set = bad == nil || tightens
}

// raw keeps a key whose meaning belongs to others.
func (d *decoder) raw(m member) {
	if d.faults(m.value) != nil {
		d.Broken = true
		return
	}
	d.Raw = append(d.Raw, field(m))
}

// field is a member with all that is in it.
func field(m member) hook.Field {
	f := hook.Field{Name: m.name, Value: m.value.value(), Pos: m.value.pos, Key: m.pos}
	for _, inner := range m.value.members {
		f.Members = append(f.Members, field(inner))
	}
	return f
}

// unknownTop warns of a key that nobody reads. Files that agents share with
// us are full of such keys: there only a near miss counts. In a file of our
// own a near miss of a key that holds guards disarms the policy: it breaks the
// file.
func (d *decoder) unknownTop(root *node, m member) {
	if slices.Contains([]string{"$schema", "description"}, m.name) || strings.HasPrefix(m.name, "x-") {
		return
	}
	known := topKeys
	if root.get("hooks") == nil {
		known = slices.Concat(known, hook.EventNames())
	}
	near := hook.Nearest(m.name, slices.Concat(known, foreignKeys))
	if d.shared() && !slices.Contains(known, near) {
		return
	}
	if guard := hook.Nearest(m.name, slices.Concat(guardKeys, decoys)); !d.shared() && slices.Contains(guardKeys, guard) {
		d.lost(hook.Diagnostic{Pos: m.pos, Path: root.sub(m.name), Advice: meant(m.name, guardKeys),
			Message: fmt.Sprintf("unknown key %q: what it holds is not read", m.name)})
		return
	}
	advice := meant(m.name, topKeys)
	if near != "" {
		advice = meant(m.name, known)
	}
	d.report(hook.Warning, m.pos, root.sub(m.name), fmt.Sprintf("unknown key %q", m.name), advice)
	if !d.shared() {
		d.faults(m.value)
	}
}

// shared reports whether the file has keys for others beside those for us.
func (d *decoder) shared() bool {
	return d.Source.Style == hook.Claude || strings.HasSuffix(d.text.file, "echo-agent.yaml") || strings.HasSuffix(d.text.file, skillFile)
}

// meant is the advice for an unknown word.
func meant(word string, known []string) string {
	if advice := hook.DidYouMean(word, known); advice != "" {
		return advice
	}
	return "one of " + strings.Join(known, ", ")
}
