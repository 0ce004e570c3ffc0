// Package agent is the hook type in which a model judges an event in several
// steps, with tools to look things up. Question and answer are those of a
// prompt hook; only continueOnBlock is not there: after a block the agent
// always goes on (Claude Code).
//
//	turn      one reply of the model: calls of tools, or the answer
//	Tool      what the host lends; ReadOnly has read, grep and glob
//	workspace the project root, which those tools do not leave
//	budget    maxTurns (8, at most 50), tokenBudget (200,000 tokens of all
//	          turns together) and the timeout of the entry (60 s)
//
// An entry has prompt, as in Claude Code, or task, as in echo-agent, where
// max_iterations is maxTurns and name a label.
//
// Promises:
//
//  1. The tools of ReadOnly change nothing, follow no link out of the
//     workspace, and do not read what a deny or ask rule of the policy keeps
//     from the agent: else the judge could be talked into telling it.
//  2. What a tool returns is cut to 16 KiB, a turn has 8 calls at most, and a
//     walk of the workspace looks at 20,000 entries.
//  3. No turn is begun that the budget does not hold; where the provider does
//     not count tokens, they are estimated from the length of the texts. A
//     budget that the question alone is too large for blocks.
//  4. A tool that fails tells the model so and does not end the hook.
//  5. The step of the hook says how many turns and tokens it took, also if it
//     failed.
//  6. An Action may be run by any number of goroutines and keeps nothing.
package agent
