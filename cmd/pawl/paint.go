package main

import "github.com/pawl-dev/pawl/engine/hook"

// paint colours texts if it is true. A colour never carries what the words
// do not say.
type paint bool

func (p paint) code(code, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p paint) bold(s string) string   { return p.code("1", s) }
func (p paint) dim(s string) string    { return p.code("2", s) }
func (p paint) red(s string) string    { return p.code("1;31", s) }
func (p paint) green(s string) string  { return p.code("32", s) }
func (p paint) yellow(s string) string { return p.code("33", s) }
func (p paint) blue(s string) string   { return p.code("36", s) }

// verdict colours s by what v stops.
func (p paint) verdict(v hook.Verdict, s string) string {
	switch v {
	case hook.Deny:
		return p.red(s)
	case hook.Ask, hook.Defer:
		return p.yellow(s)
	case hook.Allow:
		return p.green(s)
	}
	return s
}

// severity colours s by how bad v is.
func (p paint) severity(v hook.Severity, s string) string {
	switch v {
	case hook.Error:
		return p.red(s)
	case hook.Warning:
		return p.yellow(s)
	}
	return p.blue(s)
}
