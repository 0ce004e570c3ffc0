package rules

import (
	"fmt"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules/shell"
)

// compileTest compiles a call of a pattern function whose arguments are all
// literal patterns: any of them may fit.
func compileTest(name string, args []string, s *Scope) (test, error) {
	switch name {
	case "bash":
		t := &bashTest{grant: s.Grant}
		for _, a := range args {
			if len(a) > maxGlob*4 {
				return nil, fmt.Errorf("a command pattern of %d bytes; at most %d", len(a), maxGlob*4)
			}
			t.globs = append(t.globs, shell.CompileGlob(a))
		}
		return t, nil
	case "powershell":
		t := &powershellTest{grant: s.Grant}
		for _, a := range args {
			g, err := compilePowerShell(a)
			if err != nil {
				return nil, err
			}
			t.globs = append(t.globs, g)
		}
		return t, nil
	case "domain":
		t := &domainTest{}
		for _, a := range args {
			r, err := compileDomain(a)
			if err != nil {
				return nil, err
			}
			t.rules = append(t.rules, r)
		}
		return t, nil
	case "flag":
		return &flagTest{args}, nil
	}
	t := &pathTest{grant: s.Grant, named: s.Named, access: map[string]hook.Access{"path": rw, "reads": rd, "writes": wr}[name]}
	for _, a := range args {
		r, err := compilePath(a, s)
		if err != nil && (s.Grant || len(a) > maxGlob) {
			return nil, err
		}
		t.rules = append(t.rules, r)
	}
	return t, nil
}
