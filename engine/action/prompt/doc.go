// Package prompt is the hook type that asks a model to judge an event. A
// prompt that only adds its text for the agent's model is the engine's own.
//
//	question   the text of the entry, the event in place of $ARGUMENTS (else
//	           after it; \$ is a dollar), and what an answer looks like
//	fence      the lines around the event: random, and nowhere in it
//	answer     {decision, reason} or {ok, reason, impossible}, see answer.DecodeReply
//	Judge      question and answer; agent hooks have the same
//	model      lent by the host, or declared under models: in the settings
//
// An approval is silence, unless the entry says mayAllow. A block is a Deny;
// where continueOnBlock is false (the default in Claude-style files) it also
// ends the agent's turn on the events where it does in Claude Code: PreToolUse,
// PostToolUse, PostToolBatch, UserPromptSubmit, UserPromptExpansion and
// TeammateIdle. On Stop and SubagentStop impossible lets the agent stop.
//
// Promises:
//
//  1. The event is never cut. One that is too large to ask about blocks,
//     whatever onFailure says: the agent picks that size.
//  2. What stands in the event decides nothing by itself: an answer counts
//     where the model gives it, and text around it makes it no milder.
//  3. A reply that is empty, refused, cut off or unreadable is a failure of
//     cause answer; what went wrong on the way is the model's own NoVerdict.
//  4. The step of the hook says which model was asked and what it cost, also
//     if it failed.
//  5. An Action may be run by any number of goroutines and keeps nothing.
package prompt
