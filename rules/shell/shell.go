package shell

import "github.com/pawl-dev/pawl/engine/hook"

// Options extends what the package knows.
type Options struct {
	// Wrappers are rows beside the built-in ones; a row with the name of a
	// built-in one takes its place.
	Wrappers []Wrapper
}

// Parse finds what a shell text runs. It never fails and never panics: what
// it cannot tell is in Unknown, and Opaque where anything may run.
func Parse(text string, o Options) hook.Commands {
	return hook.Commands{Opaque: true}
}

// ParseArgv is Parse for a command that is given as an argument array, which
// no shell reads.
func ParseArgv(argv []string, o Options) hook.Commands {
	return hook.Commands{Opaque: true}
}
