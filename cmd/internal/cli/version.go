package cli

import (
	"runtime"
	"runtime/debug"
)

// Version is the command that prints what program is.
func Version(program string) Command {
	return Command{
		Name:  "version",
		About: "print the version, the Go release and the commit",
		Run: func(c *Console, args []string) error {
			if err := NoArgs(args); err != nil {
				return err
			}
			info, _ := debug.ReadBuildInfo()
			c.Printf("%s %s\n", program, build(info))
			return nil
		},
	}
}

// build describes the build; info is nil where none was recorded.
func build(info *debug.BuildInfo) string {
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
	return version + commit + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}
