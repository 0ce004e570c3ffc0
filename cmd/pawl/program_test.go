package main

import (
	"bufio"
	"bytes"
	"testing"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
)

// sheet is a console that writes to memory.
func sheet() (*cli.Console, *bytes.Buffer) {
	var b bytes.Buffer
	return &cli.Console{Out: bufio.NewWriter(&b), Err: &b, Getenv: func(string) string { return "" }}, &b
}

// TestCommandsAreWhole: each row of the table can be found and described, and
// no name stands twice.
func TestCommandsAreWhole(t *testing.T) {
	p := program()
	seen := map[string]bool{}
	for _, cmd := range p.All() {
		if seen[cmd.Name] || cmd.About == "" || cmd.Run == nil {
			t.Errorf("command %q: twice, or without a description or Run func", cmd.Name)
		}
		seen[cmd.Name] = true
		names := map[string]bool{"help": true}
		for _, f := range cmd.Flags {
			if names[f.Name] || f.About == "" || f.Set == nil {
				t.Errorf("%s --%s: twice, or without a description or Set func", cmd.Name, f.Name)
			}
			names[f.Name] = true
		}
		if c, out := sheet(); p.Run(c, []string{cmd.Name, "--help"}) != 0 || out.Len() == 0 {
			t.Errorf("%s --help: %s", cmd.Name, out)
		}
	}
}
