//go:build !unix

package process

import "os/exec"

// Look finds a program on the PATH of this process: here its rules, with
// extensions, are those of package exec.
func Look(name string, _ []string) (string, error) { return exec.LookPath(name) }
