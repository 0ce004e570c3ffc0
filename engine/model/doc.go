// Package model asks language models over plain HTTP.
//
//	Clients    the connections that all models of an engine share
//	provider   an API: openai (chat completions, which many servers speak),
//	           anthropic (messages)
//	endpoint   the address and the key of one declared model
//
// Promises:
//
//  1. A key is read from its variable for each request and goes to the address
//     of its model alone: redirects are not followed, in clear it goes to this
//     machine only, and no error shows it.
//  2. Complete returns when its context or the model's timeout ends. A server
//     that asks to wait (429) is asked again after that time, at most three
//     times and only if there is time left; one that failed (5xx), once.
//  3. No more than 1 MiB of an answer is read.
//  4. What is no answer is a *hook.NoVerdict: CauseHTTP for connection, status
//     and body, CauseTimeout and CauseCanceled for the end of the time,
//     CauseConfig for a key that is not there.
//  5. All of it may be called by any number of goroutines; nothing of a
//     request is kept.
package model
