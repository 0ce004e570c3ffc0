package engine

import (
	"fmt"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

// gates are the three gates, in order: switched off, managed only, trust.
type gates struct {
	off         hook.Layer // hooks of this layer and those below it are off …
	offSet      bool       // … if set
	offAll      bool       // managed disableAllHooks
	managedOnly bool
	trusted     bool
}

// newGates reads the switches of all files. disableAllHooks of a nearer layer
// wins over that of a farther one, but an untrusted workspace cannot switch
// hooks on again.
func newGates(set settings.Set, trusted bool) gates {
	g := gates{trusted: trusted}
	for _, f := range set.Files {
		layer := f.Source.Layer
		if layer == hook.Managed {
			g.managedOnly = g.managedOnly || f.Switches.AllowManagedHooksOnly
			g.offAll = g.offAll || f.Switches.DisableAllHooks
			continue
		}
		if !f.Switches.DisableAllHooksSet || layer.Workspace() && !trusted && !f.Switches.DisableAllHooks {
			continue
		}
		if f.Switches.DisableAllHooks && !g.offSet {
			g.off = layer
		}
		g.offSet = f.Switches.DisableAllHooks
	}
	return g
}

const gateTrust = "the workspace is not trusted, so nothing of it is executed; pawl trust"

// close returns why a hook of src may not run, or "".
func (g gates) close(src hook.Source, pure bool) string {
	layer := src.Authority()
	own := layer == hook.Builtin || layer == hook.Session
	switch {
	case g.offAll:
		return "disableAllHooks in the managed settings"
	case g.offSet && !own && layer != hook.Managed && layer >= g.off:
		return fmt.Sprintf("disableAllHooks in the %s settings", g.off)
	case g.managedOnly && !own && layer != hook.Managed:
		return "allowManagedHooksOnly in the managed settings"
	case !g.trusted && !pure && !own && layer != hook.Managed:
		return gateTrust
	}
	return ""
}

// tighten reports whether hooks of src may only tighten.
func (g gates) tighten(src hook.Source) bool { return !g.trusted && src.Workspace() }
