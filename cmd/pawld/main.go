package main

import (
	"io"
	"log"
	"os"
	"slices"

	"github.com/pawl-dev/pawl/cmd/internal/authorcmd"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/cmd/internal/hookcmd"
	"github.com/pawl-dev/pawl/cmd/internal/trustcmd"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/standard"
)

func main() {
	// Package net/http writes there what a server sends unasked. On the standard
	// error of a hook the agent would read it.
	log.SetOutput(io.Discard)
	os.Exit(program().Run(cli.NewConsole(), os.Args[1:]))
}

// program lists every subcommand in the order in which help does.
func program() *cli.Program {
	return &cli.Program{
		Name:  "pawld",
		About: "Pawld is the resident engine of Pawl: pawl hook asks it while it runs.",
		Commands: slices.Concat(
			[]cli.Command{serveCommand(), statusCommand(), stopCommand(), logCommand(), hookcmd.Command(hookcmd.Options{Engine: linked()})},
			authorcmd.Options{Engine: linked()}.Commands(),
			[]cli.Command{trustcmd.Command(trustcmd.Options{Engine: linked()}), cli.Version("pawld")},
		),
	}
}

// linked is the one list of the hook types that this program has beside those
// of the engine.
func linked() []engine.Option { return []engine.Option{standard.Types(standard.Options{})} }
