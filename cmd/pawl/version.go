package main

import (
	"runtime"
	"runtime/debug"
)

func versionCommand() command {
	return command{
		name:  "version",
		about: "print the version, the Go release and the commit",
		run: func(c *console, args []string) error {
			if err := noArgs(args); err != nil {
				return err
			}
			info, _ := debug.ReadBuildInfo()
			c.printf("%s\n", versionLine(info))
			return nil
		},
	}
}

// versionLine describes the build; info is nil where none was recorded.
func versionLine(info *debug.BuildInfo) string {
	version, commit := "(devel)", ""
	if info != nil {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				commit = " commit " + s.Value[:min(12, len(s.Value))] + commit
			case "vcs.modified":
				if s.Value == "true" {
					commit += " with changes"
				}
			}
		}
	}
	return "pawl " + version + commit + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}
