package wire

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// protocol changes with what frames hold.
const protocol = "2"

// Version names this build: both ends must be of the same, because they must
// give the same answers.
func Version() string {
	parts := []string{protocol, runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		parts = append(parts, info.Main.Version)
		for _, s := range info.Settings {
			if strings.HasPrefix(s.Key, "vcs.") {
				parts = append(parts, s.Value)
			}
		}
	}
	return strings.Join(parts, " ")
}
