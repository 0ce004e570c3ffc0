//go:build !linux

package rules

// straight cannot tell here.
func straight(string) bool { return false }
