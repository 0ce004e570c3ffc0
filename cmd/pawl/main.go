package main

import (
	"os"
	"slices"

	"github.com/pawl-dev/pawl/cmd/internal/authorcmd"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/cmd/internal/hookcmd"
	"github.com/pawl-dev/pawl/cmd/internal/trustcmd"
)

func main() { os.Exit(program().Run(cli.NewConsole(), os.Args[1:])) }

// program lists every subcommand in the order in which help does.
func program() *cli.Program {
	author := authorcmd.Options{Engine: advised(), Starter: starterPolicy, HandOver: func(input []byte) { becomePawld(input) }}
	return &cli.Program{
		Name:  "pawl",
		About: "Pawl decides what an AI agent may do next.",
		First: firstSteps,
		Commands: slices.Concat(
			[]cli.Command{hookcmd.Command(hookcmd.Options{Resident: true, HandOver: handOver, Engine: advised()})},
			author.Commands(),
			[]cli.Command{initCommand(), author.Demo(),
				trustcmd.Command(trustcmd.Options{Engine: advised(), HandOver: func() { becomePawld(nil) }}),
				schemaCommand(), completionCommand(), cli.Version("pawl")},
		),
	}
}

const firstSteps = `First steps:
  pawl demo                   watch a small policy decide
  pawl try 'rm -rf ~'         ask about a shell command
  pawl init --agent claude    start a policy in this project`
