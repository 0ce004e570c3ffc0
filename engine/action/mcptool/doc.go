// Package mcptool is the hook type mcp_tool: it calls a tool of an MCP server
// and reads its text as the stdout of a command.
//
//	server     the name of a server
//	tool       the name of one of its tools
//	input      the arguments, also as "arguments"; ${tool_input.file_path} and the
//	           like are filled in from the event
//	mcpServers where the settings declare servers: command, args, env, cwd of a
//	           program that talks over stdin and stdout, or url and headers of
//	           one that talks over HTTP; ${NAME} and ${NAME:-default} in them are
//	           variables of the environment
//	lend       how a host offers the servers that it is connected to itself
//
//	pool       the connections of all hooks, one for each server as declared
//	conn       one connection: made at the first call, closed when nobody has
//	           called for a while, made again when it has broken
//
// A text that is nothing but one placeholder becomes the value itself, a number
// or an object too; a member of the input is left out if the event has no such
// value. Elsewhere a placeholder becomes text, empty if there is no value.
//
// Where several files declare a server, the first layer counts: nobody takes
// the place of a server that a more trusted layer has named.
//
// Promises:
//
//  1. A server that cannot be reached, dies, does not answer, or answers with an
//     error is a failure that says so, never an answer.
//  2. A call is made once, save that one that did not reach the server, because
//     its connection had ended or its session was forgotten, is made again.
//  3. Run returns when its context ends, and the server is told. Its
//     connection stays for the others.
//  4. A server that fails when it is started is not started again at once, each
//     time: after the second failure in a row calls fail for a second, then
//     two, at most 30.
//     It is greeted as servers with sessions are, and anew as those without are
//     if it refuses that.
//  5. Messages of a server are at most 1 MiB. What it prints on stdout that is
//     no message is dropped, stderr is read and its end told when it dies.
//  6. Close ends all connections, and of a program its whole group. Programs
//     do not outlive this process (package process).
//  7. Files of the workspace that the command of a server names are sources of
//     the settings. A server is started anew when one has changed, and from the
//     copy that was accepted while a change is refused. What a server loads
//     beyond these words is not known. Its variables, those that it inherits
//     and those that its declaration names, are those of the event where that
//     has some; events with other values have a connection of their own.
//  8. An Action may be run by any number of goroutines.
package mcptool
