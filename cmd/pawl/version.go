package main

import (
	"runtime"
	"runtime/debug"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
)

func versionCommand() cli.Command {
	return cli.Command{
		Name:  "version",
		About: "print the version, the Go release and the commit",
		Run: func(c *cli.Console, args []string) error {
			if err := cli.NoArgs(args); err != nil {
				return err
			}
			info, _ := debug.ReadBuildInfo()
			c.Printf("%s\n", versionLine(info))
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
