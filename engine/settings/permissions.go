package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Keys of Claude Code that stand beside the rules and are not ours.
var permissionKeys = []string{"defaultMode", "additionalDirectories", "disableBypassPermissionsMode", "disableAutoMode"}

var verdictKeys = []string{"deny", "ask", "allow"}

// permissions reads the rules that are judged after the chain of hooks.
func (d *decoder) permissions(n *node) {
	switch n.kind {
	case mapNode:
	case nullNode:
		if d.own(n) != nil {
			d.Broken = true
		}
		return
	default:
		d.want(n, "a mapping with deny, ask and allow", "")
		d.Broken = true
		return
	}
	// A duplicate list is read too: what it denies, it denies.
	if bad := d.own(n); bad != nil {
		d.broken(n.path(), hook.Deny, bad)
	}
	unknown := hook.UnknownDefault
	if u := n.get("unknown"); u != nil {
		var bad *hook.Diagnostic
		if unknown, bad = d.unknown(u); bad != nil {
			d.broken(u.path(), hook.Deny, bad)
		}
	}
	for _, m := range n.members {
		if verdict, ok := hook.ParseVerdict(m.name); ok && slices.Contains(verdictKeys, m.name) {
			d.permissionList(m.value, verdict, unknown)
			continue
		}
		d.permissionKey(n, m)
	}
}

func (d *decoder) permissionKey(n *node, m member) {
	known := append(slices.Clone(verdictKeys), "unknown")
	if slices.Contains(known, m.name) || d.shared() && slices.Contains(permissionKeys, m.name) {
		return
	}
	message, advice := fmt.Sprintf("unknown key %q", m.name), meant(m.name, known)
	if d.shared() || slices.Contains(permissionKeys, m.name) || strings.HasPrefix(m.name, "x-") {
		d.report(hook.Warning, m.pos, n.sub(m.name), message, advice)
		return
	}
	d.lost(hook.Diagnostic{Pos: m.pos, Path: n.sub(m.name), Message: message + ": what it lists is not judged", Advice: advice})
}

func (d *decoder) permissionList(n *node, v hook.Verdict, unknown hook.OnUnknown) {
	switch bad := d.own(n); {
	case bad != nil:
		d.broken(n.path(), v, bad)
	case n.kind == nullNode:
	case n.kind != listNode:
		d.broken(n.path(), v, d.want(n, "a list of patterns", `write ["Bash(rm *)"]`))
	default:
		for _, item := range n.items {
			rule := hook.PermissionRule{ID: item.path(), Source: d.Source, Verdict: v, Unknown: unknown, Text: hook.Text{Pos: item.pos}}
			rule.Broken = d.pattern(item, &rule.Text)
			d.Permissions = append(d.Permissions, rule)
		}
	}
}

// broken adds the stub of a permission rule.
func (d *decoder) broken(id string, v hook.Verdict, bad *hook.Diagnostic) {
	d.Permissions = append(d.Permissions, hook.PermissionRule{ID: id, Source: d.Source, Verdict: v, Text: hook.Text{Pos: bad.Pos}, Broken: bad})
}
