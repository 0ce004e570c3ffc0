package engine

import (
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
)

// analyze is where the facts of an input come from; they are computed on
// first use and shared by all hooks that see this input.
func analyze(ev hook.Event) *hook.Facts { return rules.Analyze(ev) }
