package cli

import "github.com/pawl-dev/pawl/engine/hook"

// Paint colours texts if it is true. A colour never carries what the words
// do not say.
type Paint bool

func (p Paint) code(code, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Bold and those that follow colour s.
func (p Paint) Bold(s string) string   { return p.code("1", s) }
func (p Paint) Dim(s string) string    { return p.code("2", s) }
func (p Paint) Red(s string) string    { return p.code("1;31", s) }
func (p Paint) Green(s string) string  { return p.code("32", s) }
func (p Paint) Yellow(s string) string { return p.code("33", s) }
func (p Paint) Blue(s string) string   { return p.code("36", s) }

// Verdict colours s by what v stops.
func (p Paint) Verdict(v hook.Verdict, s string) string {
	switch v {
	case hook.Deny:
		return p.Red(s)
	case hook.Ask, hook.Defer:
		return p.Yellow(s)
	case hook.Allow:
		return p.Green(s)
	}
	return s
}

// Severity colours s by how bad v is.
func (p Paint) Severity(v hook.Severity, s string) string {
	switch v {
	case hook.Error:
		return p.Red(s)
	case hook.Warning:
		return p.Yellow(s)
	}
	return p.Blue(s)
}
