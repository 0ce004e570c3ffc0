package command

import "strings"

// Runs is the command as it is written.
func (a *action) Runs() string { return strings.Join(append([]string{a.text}, a.args...), " ") }
