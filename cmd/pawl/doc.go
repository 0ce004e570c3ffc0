// Command pawl answers the hook events of AI agents and helps the people who
// write the policies: one file a subcommand, the table of them is in main.go.
//
//	console   what a process gets from outside: streams, environment, terminal
//	command   one subcommand: its flags, its help, its run func
//	policy    which settings to open, from flags and the place of the event
//	call      one run of the hook pipeline: event bytes to reply
//	entry     the hooks member that goes into an agent's settings file
//
// Promises:
//
//  1. "pawl hook" writes nothing but the answer to standard output, and ends
//     with exit code 2 whenever it cannot say what the policy says.
//  2. No file is changed except by init, trust, schema and test --junit; init
//     never overwrites a policy and keeps every other byte of an agent's settings.
//  3. What comes from events and settings is escaped before it reaches a
//     terminal.
//  4. Nothing runs, opens or allocates before the subcommand is known: the
//     start of "pawl hook" is on the way of every tool call.
package main
