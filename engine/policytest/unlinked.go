package policytest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine"
)

// Unlinked names the hook types that policies under test want and an engine by
// itself does not have, sorted. Files that cannot be read want none.
func Unlinked(ctx context.Context, files []string) []string {
	temp, err := os.MkdirTemp("", "pawl-test-")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(temp)
	var types []string
	seen := map[policy]bool{}
	for _, file := range files {
		p, err := policyOf(file)
		if err != nil || seen[p] {
			continue
		}
		seen[p] = true
		e, _ := engine.Open(ctx, p.path, engine.WithHome(temp), engine.WithManaged(filepath.Join(temp, "managed")))
		if e != nil { // what is wrong with the policy is told when it is tested
			types = append(types, e.Unlinked()...)
			e.Close(ctx)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(types)))
}

// policyOf returns the policy that a test file tests.
func policyOf(file string) (policy, error) {
	data, err := readFile(file)
	if err != nil {
		return policy{}, err
	}
	if strings.HasSuffix(file, ".lua") {
		return findPolicy(file, namedInLua(string(data)))
	}
	named, _, err := readCases(data)
	if err != nil {
		return policy{}, err
	}
	return findPolicy(file, named)
}
