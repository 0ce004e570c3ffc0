package shell

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write inert.go from the tables")

// inertPrograms are those that no row and no code of this package follows: 1,
// or 2 if options may stand before their subcommand, 3 if some subcommands run
// something, 4 if only options do.
func inertPrograms() map[string]uint8 {
	m := map[string]uint8{"make": 4, "gmake": 4}
	for name, k := range programs() {
		row := wrapperIndex()[name]
		switch {
		case k != data || has(followed, name):
		case row != nil && row.Operands == NoCommand && !row.Texts && row.Default == "" && !subcommandHeads()[name]:
			m[name] = 4
		case row != nil:
		case subcommandHeads()[name] || sameAs[name] != "":
			m[name] = 3
		default:
			m[name] = 1
			if _, ok := shifts()[name]; ok {
				m[name] = 2
			}
		}
	}
	return m
}

// followedSubs are the subcommands of a program that have a row.
func followedSubs(name string) string {
	var subs []string
	for _, w := range wrapperTable {
		head, rest, _ := strings.Cut(w.Name, " ")
		if other := sameAs[name]; other != "" {
			if rest, ok := strings.CutPrefix(w.Name, other+" "); ok {
				sub, _, _ := strings.Cut(rest, " ")
				subs = append(subs, sub)
			}
		}
		if sub, _, _ := strings.Cut(rest, " "); head == name && rest != "" {
			subs = append(subs, sub)
		}
	}
	slices.Sort(subs)
	return strings.Join(slices.Compact(subs), " ")
}

// The switch of inert.go, which costs a starting process nothing, says what
// the tables say.
func TestInertIsWhatTheTablesSay(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(inertHead)
	for kind := uint8(1); kind <= 4; kind++ {
		b.WriteString("\tcase ")
		width := 0
		var names []string
		for _, name := range slices.Sorted(maps.Keys(inertPrograms())) {
			if inertPrograms()[name] == kind {
				names = append(names, name)
			}
		}
		for i, name := range names {
			word := fmt.Sprintf("%q", name)
			if i < len(names)-1 {
				word += ","
			}
			if width += len(word) + 1; width > 190 && i > 0 {
				b.WriteString("\n\t\t")
				width = len(word)
			} else if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(word)
		}
		fmt.Fprintf(&b, ":\n\t\treturn %d\n", kind)
	}
	b.WriteString("\t}\n\treturn 0\n}\n\n// inertSubs are the subcommands of a program of kind 3 that run something.\nfunc inertSubs(name string) string {\n\tswitch name {\n")
	bySubs := map[string][]string{}
	for name, kind := range inertPrograms() {
		if kind == 3 {
			bySubs[followedSubs(name)] = append(bySubs[followedSubs(name)], strconv.Quote(name))
		}
	}
	for _, subs := range slices.Sorted(maps.Keys(bySubs)) {
		slices.Sort(bySubs[subs])
		fmt.Fprintf(&b, "\tcase %s:\n\t\treturn %q\n", strings.Join(bySubs[subs], ", "), subs)
	}
	b.WriteString("\t}\n\treturn \"\"\n}\n")
	if *update {
		if err := os.WriteFile("inert.go", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile("inert.go")
	if err != nil || !bytes.Equal(have, b.Bytes()) {
		t.Errorf("inert.go is not what the tables say (%v); go test ./rules/shell -run Inert -update", err)
	}
	for name, kind := range inertPrograms() {
		if inertKind(name) != kind {
			t.Errorf("%s: %d, want %d", name, inertKind(name), kind)
		}
	}
}

// What is read without a look at the tables is what the tables say.
func TestInertIsFollowed(t *testing.T) {
	other := Options{Wrappers: []Wrapper{{Name: "another-wrapper"}}} // declines the short way
	for name := range inertPrograms() {
		for _, rest := range []string{"", " a", " a rm x", " run rm x", " -x a rm x", " test  b", " exec rm x"} {
			fast, ok := inert(name + rest)
			if slow := Parse(name+rest, other); ok && !reflect.DeepEqual(fast, slow) {
				t.Errorf("%q: %+v, want %+v", name+rest, fast, slow)
			}
		}
	}
}

const inertHead = `package shell

// inertKind tells the programs that no row and no code of this package
// follows: 1, or 2 if options may stand before their subcommand, 3 if only
// some subcommands run something, 4 if only options do, else 0. It is written
// from the tables by inert_test.go: a switch needs nothing at start.
func inertKind(name string) uint8 {
	switch name {
`
