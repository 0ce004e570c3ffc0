package policytest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// isTest reports whether a file of this name holds tests.
func isTest(name string) bool {
	for _, suffix := range []string{"_test.yaml", "_test.yml", "_test.lua"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

// Find returns the test files at and below each path, sorted within it and
// each once. A file that is named has to be a test file. Directories of
// version control and of dependencies are left out, links are not followed.
func Find(paths ...string) ([]string, error) {
	var found []string
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, err
		case info.IsDir():
			if found, err = below(path, found); err != nil {
				return nil, err
			}
		case !isTest(path):
			return nil, fmt.Errorf("%s: not a test file: their names end in _test.yaml or _test.lua", path)
		default:
			found = append(found, path)
		}
	}
	return unique(found), nil
}

func below(root string, found []string) ([]string, error) {
	skipped := []string{".git", ".hg", ".svn", ".jj", "node_modules", "vendor", "testdata", ".venv", "venv", "__pycache__"}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root:
			return err
		case err != nil: // what cannot be read holds no tests of this policy
			return nil
		case d.IsDir() && path != root && slices.Contains(skipped, d.Name()):
			return fs.SkipDir
		case d.Type().IsRegular() && isTest(d.Name()):
			found = append(found, path)
		}
		return nil
	})
	return found, err
}

// unique removes files that two paths lead to.
func unique(files []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(files, func(file string) bool {
		abs, err := filepath.Abs(file)
		if err != nil {
			abs = file
		}
		twice := seen[abs]
		seen[abs] = true
		return twice
	})
}
