// Package standard is the one list of all hook types, for programs that want
// the full set:
//
//	eng, err := engine.Open(ctx, "pawl.yaml", standard.Types(standard.Options{}))
//
//	command   a program, also in a sandbox        engine/action/command
//	http      a request with the event            engine/action/webhook
//	mcp_tool  a tool of an MCP server             engine/action/mcptool
//	prompt    a model that judges the event       engine/action/prompt
//	agent     the same, in steps and with tools   engine/action/agent
//
// permission, expr, lua, and prompts that only add their text are in every
// engine.
//
// Promises:
//
//  1. What the types keep open belongs to one engine, and its Close ends it.
//  2. Nothing is connected or started before a hook needs it.
package standard
