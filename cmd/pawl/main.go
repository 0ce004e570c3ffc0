package main

import "os"

func main() { os.Exit(run(newConsole(), os.Args[1:])) }

// commands is every subcommand, in the order in which help lists them.
func commands() []command {
	return []command{
		hookCommand(),
		tryCommand(),
		explainCommand(),
		checkCommand(),
		compileCommand(),
		matchCommand(),
		testCommand(),
		initCommand(),
		demoCommand(),
		trustCommand(),
		schemaCommand(),
		completionCommand(),
		versionCommand(),
		helpCommand(),
	}
}
