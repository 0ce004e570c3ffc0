package lua

import (
	"cmp"
	"slices"

	"github.com/yuin/gopher-lua/ast"

	"github.com/pawl-dev/pawl/engine/hook"
)

// finding is what a lint finds at a word.
type finding struct {
	severity hook.Severity
	at       spot
	message  string
	advice   string
}

// maxFindings bounds what one lint tells of a policy.
const maxFindings = 100

// lints returns all lints; each has its file.
func lints() []func(*survey) []finding {
	return []func(*survey) []finding{undefinedGlobals, writtenGlobals, wrongMembers, lostWrites, unusedFunctions, droppedVerdicts, vainVerdicts, wrongAnswers, foreignHabits}
}

// Lint reads everything that was loaded once more and returns what is wrong
// with it that loading does not show, by file and line: names that nothing
// defines, functions that nobody calls, verdicts that are dropped or that
// their event does not take. Where a text cannot tell, it is silent.
//
// What fails when it is reached is an Error, though the file loads. A text that
// is no Lua is not looked at, nor is a line at which a file has failed to load.
func (r *Runtime) Lint() []hook.Diagnostic {
	r.mu.Lock()
	units := slices.Clone(r.units)
	r.mu.Unlock()
	library := newCatalog(r.newState(""))
	var all []hook.Diagnostic
	for _, u := range units {
		s := newSurvey(library)
		if !r.read(u, s) {
			continue
		}
		s.settle()
		for _, lint := range lints() {
			found := lint(s)
			for _, f := range found[:min(len(found), maxFindings)] {
				d := hook.Diagnostic{Severity: f.severity, Pos: f.at.pos(), Message: f.message, Advice: f.advice}
				if u.path == "" {
					d.Path = u.name
				}
				if d.Pos.File != u.broken.File || d.Pos.Line != u.broken.Line {
					all = append(all, d)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b hook.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(all) // a file may belong to several policies
}

// read adds all texts of u to s; false if one has gone or changed for the worse.
func (r *Runtime) read(u *unit, s *survey) bool {
	if u.path == "" {
		src, _ := r.opts.Read(u.pos.File)
		chunk, err := parseHandler(u.text, u.name)
		if err != nil {
			return false
		}
		s.handler(s.read(chunk, newListing(u.text, func(line, col int) hook.Position {
			pos, _ := u.settle(src, line, col)
			return pos
		})), u.spec)
		return true
	}
	paths := append([]string{u.path}, u.requires...)
	for i := 0; i < len(paths); i++ {
		path := paths[i]
		data, err := r.opts.Read(path)
		if err != nil {
			return false
		}
		chunk, err := parseText(string(data), path)
		if err != nil {
			return false
		}
		text := newListing(string(data), func(line, col int) hook.Position { return hook.Position{File: path, Line: line, Col: col} })
		text.required = i > 0
		main := s.read(chunk, text)
		if i == 0 && !u.policy {
			s.handler(main, u.spec)
		}
		for _, more := range s.required(r, u.dir, text) {
			if !slices.Contains(paths, more) {
				paths = append(paths, more)
			}
		}
	}
	return true
}

// required finds the files that a text requires by a literal name.
func (s *survey) required(r *Runtime, dir string, text *listing) (paths []string) {
	for _, c := range s.calls {
		name, ok := first(c.expr.Args).(*ast.StringExpr)
		if !ok || c.at.text != text || s.libraryName(c.expr.Func) != "require" {
			continue
		}
		if path, err := r.requiredPath(dir, relative(name.Value)); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// handler notes that what main returns handles the event of spec.
func (s *survey) handler(main *routine, spec hook.Spec) {
	if f := s.functionOf(first(main.returns).expr); f != nil {
		f.events, f.types, f.async, f.rewake = []string{string(spec.Event)}, []string{"Event"}, spec.Async, spec.Rewake
		if id, ok := first(main.returns).expr.(*ast.IdentExpr); ok {
			s.names[id].escapes = true
		}
	}
}
