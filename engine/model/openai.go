package model

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	openAIBase = "https://api.openai.com/v1"
	openAIKey  = "OPENAI_API_KEY"
)

// openAI speaks the chat completions API, which most servers of open models
// have too.
type openAI struct{ endpoint }

type chatMessage struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"`
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type chatCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Arguments   *string         `json:"arguments,omitempty"`
}

type chatTool struct {
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatRequest struct {
	Model    string        `json:"model"`
	Messages []chatMessage `json:"messages"`
	Tools    []chatTool    `json:"tools,omitempty"`
	// OpenAI's own models refuse the first name, other servers may not know
	// the second.
	MaxTokens           int `json:"max_tokens,omitempty"`
	MaxCompletionTokens int `json:"max_completion_tokens,omitempty"`
}

type chatReply struct {
	Choices []struct {
		Message struct {
			Content, Refusal *string
			ToolCalls        []chatCall `json:"tool_calls"`
		}
		FinishReason string `json:"finish_reason"`
	}
	Usage struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
	}
}

// Complete asks for the next turn.
func (m openAI) Complete(ctx context.Context, r hook.Request) (hook.Reply, error) {
	in := chatRequest{Model: m.spec.Model, Messages: chatMessages(r)}
	if limit := m.limit(r); m.base.Host == "api.openai.com" {
		in.MaxCompletionTokens = limit
	} else {
		in.MaxTokens = limit
	}
	for _, t := range r.Tools {
		in.Tools = append(in.Tools, chatTool{"function", chatFunction{Name: t.Name, Description: t.About, Parameters: t.Schema}})
	}
	var out chatReply
	if err := m.call(ctx, r, "chat/completions", map[string]string{"Authorization": "Bearer " + keyMark}, in, &out); err != nil {
		return hook.Reply{}, err
	}
	if len(out.Choices) == 0 {
		return hook.Reply{}, m.fail("%w", errors.New("the answer has no choices"))
	}
	return out.reply(), nil
}

// limit is the most tokens of a reply.
func (e endpoint) limit(r hook.Request) int {
	if r.MaxTokens > 0 {
		return min(r.MaxTokens, e.spec.MaxTokens)
	}
	return e.spec.MaxTokens
}

func chatMessages(r hook.Request) []chatMessage {
	var list []chatMessage
	say := func(role, text string) {
		if text != "" {
			list = append(list, chatMessage{Role: role, Content: &text})
		}
	}
	say("system", r.System)
	for i, t := range r.Turns {
		if i%2 == 1 {
			m := chatMessage{Role: "assistant", Content: &t.Text}
			for _, c := range t.Calls {
				input := string(inputOf(c))
				m.ToolCalls = append(m.ToolCalls, chatCall{c.ID, "function", chatFunction{Name: c.Name, Arguments: &input}})
			}
			list = append(list, m)
			continue
		}
		for _, result := range t.Results {
			list = append(list, chatMessage{Role: "tool", Content: &result.Text, ToolCallID: result.ID})
		}
		say("user", t.Text)
	}
	return list
}

func (out chatReply) reply() hook.Reply {
	choice := out.Choices[0]
	r := hook.Reply{End: hook.EndDone, Usage: hook.Usage{In: out.Usage.PromptTokens, Out: out.Usage.CompletionTokens}}
	if choice.Message.Content != nil {
		r.Text = *choice.Message.Content
	}
	for _, c := range choice.Message.ToolCalls {
		call := hook.ToolCall{ID: c.ID, Name: c.Function.Name}
		if args := c.Function.Arguments; args == nil || strings.TrimSpace(*args) == "" {
			call.Input, _ = answer.Payload([]byte("{}"))
		} else {
			call.Input, _ = answer.Payload([]byte(*args)) // absent tells the caller that it cannot be read
		}
		r.Calls = append(r.Calls, call)
	}
	switch refusal := choice.Message.Refusal; {
	case refusal != nil && *refusal != "":
		r.End, r.Text = hook.EndRefused, *refusal
	case choice.FinishReason == "content_filter":
		r.End = hook.EndRefused
	case choice.FinishReason == "length":
		r.End = hook.EndCut
	case len(r.Calls) > 0:
		r.End = hook.EndTools
	}
	return r
}

// inputOf is the input of a call as JSON. One that could not be read is sent
// back empty.
func inputOf(c hook.ToolCall) json.RawMessage {
	if c.Input.Absent() {
		return json.RawMessage("{}")
	}
	return c.Input.Raw()
}
