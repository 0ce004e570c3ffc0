package hook

import (
	"context"
	"time"
)

// Model is a language model that hooks ask.
//
// Complete returns the next turn of a conversation. It may be called by any
// number of goroutines at once, returns promptly when ctx ends, and neither
// changes r nor keeps it. Any end of a reply that the model knows of, also a
// refusal, is a Reply; an error is a NoVerdict.
type Model interface {
	Complete(ctx context.Context, r Request) (Reply, error)
}

// ModelFunc is a func as a Model.
type ModelFunc func(ctx context.Context, r Request) (Reply, error)

// Complete calls f.
func (f ModelFunc) Complete(ctx context.Context, r Request) (Reply, error) { return f(ctx, r) }

// Request is a conversation that waits for the model's turn.
type Request struct {
	System    string
	Turns     []Turn // of the user and the model by turns, from the user to the user
	Tools     []ToolSpec
	MaxTokens int // most of the reply; 0 leaves it to the model
	// Env looks up variables where the event comes from; nil: there is no other
	// place than that of the model (ModelSpec).
	Env func(name string) (string, bool)
}

// Turn is what one side says. Results come from the user, Calls from the
// model; the results of a turn answer all calls of the turn before it.
type Turn struct {
	Text    string
	Calls   []ToolCall
	Results []ToolResult
}

// ToolSpec tells a model of a tool that it may call.
type ToolSpec struct {
	Name   string // letters, digits, _ and -
	About  string
	Schema []byte // JSON Schema of the input, an object
}

// ToolCall is a tool that a model wants to be run.
type ToolCall struct {
	ID, Name string
	Input    Object
}

// ToolResult is what came of a call.
type ToolResult struct {
	ID, Text string
	Failed   bool
}

// Reply is a turn of the model.
type Reply struct {
	Turn
	End   End
	Usage Usage
}

// End says why a model said no more.
type End string

const (
	EndDone    End = "done"    // it had no more to say
	EndTools   End = "tools"   // it waits for the results of its calls
	EndCut     End = "cut"     // a limit on its length cut it off
	EndRefused End = "refused" // it, or a filter of its provider, would not answer
)

// Usage counts tokens; 0 where the provider does not tell.
type Usage struct{ In, Out int }

// Total is all tokens that were paid for.
func (u Usage) Total() int { return u.In + u.Out }

// Add returns the sum of both.
func (u Usage) Add(o Usage) Usage { return Usage{u.In + o.In, u.Out + o.Out} }

// ModelSpec is a model as settings declare it.
type ModelSpec struct {
	Name     string // that hooks call it by
	Provider string
	Model    string        // the provider's name of it
	BaseURL  string        // "" is the provider's own
	KeyEnv   string        // the variable that holds the key; "" is the provider's own, with its own address
	Timeout  time.Duration // of one Complete; 0 is 60 s
	// MaxTokens is the most of a reply; 0 is 4096.
	MaxTokens int
	Env       func(name string) (string, bool)
}

// Provider makes a model of its declaration, without any effect outside of
// the process. Its error says what is wrong with the declaration.
type Provider func(ModelSpec) (Model, error)
