//go:build !linux

package rules

// straight cannot tell here.
func straight([]byte) bool { return false }
