// Package service_test asserts that the files of this example start what there is.
package service_test

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// TestCommands: both files start a command that pawld has, where make install
// puts it.
func TestCommands(t *testing.T) {
	for file, pattern := range map[string]string{
		"pawld.service":        `(?m)^ExecStart=%h/go/bin/pawld serve$`,
		"dev.pawl.pawld.plist": `<string>exec "\$HOME/go/bin/pawld" serve</string>`,
		"README.md":            "`pawld serve`",
		"../../Makefile":       `(?m)^\tgo install .* \./cmd/pawl \./cmd/pawld$`,
	} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(pattern).Match(data) {
			t.Errorf("%s does not match %s", file, pattern)
		}
	}
	out, err := exec.Command("go", "run", "../../cmd/pawld", "serve", "--help").CombinedOutput()
	if err != nil || !regexp.MustCompile("(?m)^Usage: pawld serve ").Match(out) {
		t.Errorf("pawld serve --help: %v\n%s", err, out)
	}
}

// TestPlist: it is XML, as launchd reads it.
func TestPlist(t *testing.T) {
	f, err := os.Open("dev.pawl.pawld.plist")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, keys := xml.NewDecoder(f), 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "key" {
			keys++
		}
	}
	if keys < 4 {
		t.Errorf("%d keys", keys)
	}
}
