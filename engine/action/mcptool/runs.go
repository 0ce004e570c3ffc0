package mcptool

import "strings"

// Runs is the tool, and how its server is started or reached.
func (a *action) Runs() string {
	s := a.server
	switch {
	case s.command != "":
		return a.tool + " of " + s.name + ": " + strings.Join(append([]string{s.command}, s.args...), " ")
	case s.url != "":
		return a.tool + " of " + s.name + ": " + s.url
	}
	return a.tool + " of " + s.name + ", which the host lends"
}
