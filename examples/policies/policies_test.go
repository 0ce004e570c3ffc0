// Package policies_test runs the tests of the example policies, and all that
// docs/lua.md shows.
package policies_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/policytest"
)

// TestPolicies: each example loads without a fault, passes its tests, and has
// one for every hook and rule.
func TestPolicies(t *testing.T) {
	files, err := filepath.Glob("*/pawl.yaml")
	if err != nil || len(files) != 8 {
		t.Fatalf("found %d policies, %v", len(files), err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	home := homeless(t)
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(dir, func(t *testing.T) {
			if !strings.Contains(string(readme), "("+dir+"/pawl.yaml)") {
				t.Errorf("README.md does not point to %s", file)
			}
			clean(t, dir)
			if report := pass(t, home, dir); report.Passed < 10 || report.Coverage.Percent() < 100 {
				t.Errorf("%d tests; in none spoke %v", report.Passed, report.Coverage.Unreached)
			}
		})
	}
}

// homeless gives the process a home directory with nothing in it.
func homeless(t *testing.T) string {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	return home
}

// clean loads the policy of dir, which must have no faults.
func clean(t *testing.T, dir string) {
	t.Helper()
	eng, err := engine.Open(t.Context(), filepath.Join(dir, "pawl.yaml"), engine.WithManaged(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close(context.Background())
	for _, d := range slices.Concat(eng.Diagnostics(), eng.Lint()) {
		if d.Severity >= hook.Warning {
			t.Errorf("the policy is not clean: %v", d)
		}
	}
}

// pass runs the tests below dir.
func pass(t *testing.T, home, dir string) policytest.Report {
	t.Helper()
	files, err := policytest.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	report, err := policytest.Run(t.Context(), files, policytest.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status != policytest.Passed {
			t.Errorf("%s:%d: %s %s: %s", r.File, r.Line, r.Name, r.Status, strings.Join(r.Problems, "; "))
		}
	}
	return report
}
