// Package cli is the command line of Pawl's programs: subcommands with flags
// and help, and texts that are fit for a terminal.
//
//	program   the list of subcommands and how it introduces itself
//	command   one subcommand: its flags, its help, its Run func
//	flag      one --name of a subcommand, with or without a value
//	console   what a process gets from outside: streams, environment, terminal
//	paint     colours, if they are wanted
//
// Promises:
//
//  1. Flags may stand anywhere among the arguments; what cannot be understood
//     ends with exit code 2 and says what is known.
//  2. Escape leaves nothing in a text that steers a terminal.
//  3. Nothing is read or opened before a command runs.
//
// A Console is for one goroutine.
package cli
