package main

import (
	"context"
	"encoding/json"
)

// Model says what an agent does next.
type Model interface {
	Next(ctx context.Context, r Request) (Reply, error)
}

// Request is all that a model is told.
type Request struct {
	Agent    string // whose turn it is
	Messages []Message
	Tools    []*Tool
}

// Message is one entry of a conversation.
type Message struct {
	Role  string // system, user, assistant or tool
	Text  string
	Calls []ToolCall // of the assistant
	Of    string     // of a tool: the id of the call that it answers
}

// Reply is what a model says, and which tools it wants called.
type Reply struct {
	Text  string
	Calls []ToolCall
}

// ToolCall is one call of a tool.
type ToolCall struct {
	ID, Name string
	Input    json.RawMessage
}

// Overloaded is the error of a model that may answer when it is asked again.
type Overloaded struct{ Err error }

func (o *Overloaded) Error() string { return "the model is overloaded: " + o.Err.Error() }

func (o *Overloaded) Unwrap() error { return o.Err }
