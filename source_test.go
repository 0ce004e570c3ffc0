package house_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

const (
	maxFileLines = 500
	maxFuncLines = 70
)

// vague words say nothing about what a thing is.
var vague = []string{"manager", "util", "utils", "helper", "helpers", "common", "base", "impl"}

// source is one Go file of the repository.
type source struct {
	path  string // relative, with slashes
	file  *ast.File
	fset  *token.FileSet
	lines int
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) at(n ast.Node) token.Position { return s.fset.Position(n.Pos()) }

func (s source) linesOf(n ast.Node) int {
	return s.fset.Position(n.End()).Line - s.fset.Position(n.Pos()).Line + 1
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, data, parser.ParseComments)
		all = append(all, source{filepath.ToSlash(path), file, fset, bytes.Count(data, []byte("\n"))})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("only %d Go files found: not run from the root of the repository?", len(all))
	}
	return all
}

// TestPackageComments: a reader finds the vocabulary and the promises of a
// package in one place. A command may have its comment in main.go.
func TestPackageComments(t *testing.T) {
	where := map[string][]string{}
	for _, s := range sources(t) {
		dir := filepath.ToSlash(filepath.Dir(s.path))
		if s.test() {
			continue
		}
		if _, ok := where[dir]; !ok {
			where[dir] = nil
		}
		if s.file.Doc == nil {
			continue
		}
		where[dir] = append(where[dir], s.path)
		name := filepath.Base(s.path)
		if name != "doc.go" && (name != "main.go" || s.file.Name.Name != "main") {
			t.Errorf("%s: the package comment belongs in doc.go", s.path)
		}
	}
	for dir, files := range where {
		if len(files) != 1 {
			t.Errorf("%s has %d package comments %v, want exactly one", dir, len(files), files)
		}
	}
}

// TestSizes: what does not fit on a few screens is not read as a whole.
func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		if s.lines > maxFileLines {
			t.Errorf("%s has %d lines, at most %d are wanted: split it by subject", s.path, s.lines, maxFileLines)
		}
		if s.test() {
			continue // a table of cases may be long
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.linesOf(f) > maxFuncLines {
				t.Errorf("%s: %s has %d lines, at most %d are wanted", s.at(f), f.Name.Name, s.linesOf(f), maxFuncLines)
			}
		}
	}
}

// TestNoHiddenStart: linking a package changes nothing; what a program
// does is written in its main.
func TestNoHiddenStart(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: no init functions", s.at(f))
			}
		}
		for _, i := range s.file.Imports {
			if i.Name != nil && i.Name.Name == "_" && i.Path.Value != `"embed"` {
				t.Errorf("%s: no blank imports: %s", s.at(i), i.Path.Value)
			}
		}
	}
}

// TestNames: a vague name hides a missing idea.
func TestNames(t *testing.T) {
	for _, s := range sources(t) {
		stem := strings.TrimSuffix(filepath.Base(s.path), ".go")
		for _, name := range []string{stem, s.file.Name.Name} {
			checkName(t, s.path, name)
		}
		if s.test() {
			continue
		}
		for _, d := range s.file.Decls {
			for _, id := range declared(d) {
				if id.IsExported() {
					checkName(t, s.at(id).String(), id.Name)
				}
			}
		}
	}
}

func checkName(t *testing.T, where, name string) {
	for _, w := range words(name) {
		if slices.Contains(vague, w) {
			t.Errorf("%s: the name %q says %q: say what it is", where, name, w)
		}
	}
}

// declared returns the identifiers that d declares at package level.
func declared(d ast.Decl) []*ast.Ident {
	if f, ok := d.(*ast.FuncDecl); ok {
		return []*ast.Ident{f.Name}
	}
	var ids []*ast.Ident
	for _, spec := range d.(*ast.GenDecl).Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			ids = append(ids, spec.Name)
		case *ast.ValueSpec:
			ids = append(ids, spec.Names...)
		}
	}
	return ids
}

// words splits a name at case changes, underscores and dashes.
func words(name string) []string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}

// TestInterfaces: an interface of one method can be a func, be wrapped, and
// be implemented by a stranger in an afternoon.
func TestInterfaces(t *testing.T) {
	for _, s := range sources(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() || s.test() {
				return true
			}
			if i, ok := spec.Type.(*ast.InterfaceType); ok && i.Methods.NumFields() != 1 {
				t.Errorf("%s: interface %s has %d methods, want one", s.at(spec), spec.Name.Name, i.Methods.NumFields())
			}
			return true
		})
	}
}

// TestNoSleep: a test that sleeps is slow where it works and fails where the
// machine is busy. In a synctest bubble the clock is not the machine's.
func TestNoSleep(t *testing.T) {
	for _, s := range sources(t) {
		if !s.test() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && selects(call.Fun, "synctest", "Test") {
				return false
			}
			if e, ok := n.(ast.Expr); ok && selects(e, "time", "Sleep") {
				t.Errorf("%s: no time.Sleep in tests: wait for what must happen", s.at(n))
			}
			return true
		})
	}
}

// selects reports whether e is pkg.name.
func selects(e ast.Expr, pkg, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == pkg
}
