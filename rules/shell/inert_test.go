package shell

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write inert.go from the tables")

// inertPrograms are those that no row and no code of this package follows: 1,
// or 2 if options may stand before their subcommand.
func inertPrograms() map[string]uint8 {
	m := make(map[string]uint8)
	for name, k := range programs() {
		if k != data || wrapperIndex()[name] != nil || sameAs[name] != "" || subcommandHeads()[name] || has(followed, name) {
			continue
		}
		m[name] = 1
		if _, ok := shifts()[name]; ok {
			m[name] = 2
		}
	}
	return m
}

// The switch of inert.go, which costs a starting process nothing, says what
// the tables say.
func TestInertIsWhatTheTablesSay(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(inertHead)
	for kind := uint8(1); kind <= 2; kind++ {
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
			if width += len(word) + 1; width > 150 && i > 0 {
				b.WriteString("\n\t\t")
				width = len(word)
			} else if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(word)
		}
		fmt.Fprintf(&b, ":\n\t\treturn %d\n", kind)
	}
	b.WriteString("\t}\n\treturn 0\n}\n")
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

const inertHead = `package shell

// inertKind tells the programs that no row and no code of this package
// follows: 1, or 2 if options may stand before their subcommand, else 0. It is
// written from the tables by inert_test.go: a switch needs nothing at start.
func inertKind(name string) uint8 {
	switch name {
`
