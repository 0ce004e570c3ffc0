package model

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	anthropicBase = "https://api.anthropic.com"
	anthropicKey  = "ANTHROPIC_API_KEY"
)

// anthropic speaks the messages API.
type anthropic struct{ endpoint }

// block is a part of a message; its type says which of the fields it has.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
}

type blockMessage struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

type blockTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type blockRequest struct {
	Model     string         `json:"model"`
	MaxTokens int            `json:"max_tokens"`
	System    string         `json:"system,omitempty"`
	Messages  []blockMessage `json:"messages"`
	Tools     []blockTool    `json:"tools,omitempty"`
}

type blockReply struct {
	Content    []block
	StopReason string `json:"stop_reason"`
	Usage      struct {
		InputTokens   int `json:"input_tokens"`
		CacheCreation int `json:"cache_creation_input_tokens"`
		CacheRead     int `json:"cache_read_input_tokens"`
		OutputTokens  int `json:"output_tokens"`
	}
}

// Complete asks for the next turn.
func (m anthropic) Complete(ctx context.Context, r hook.Request) (hook.Reply, error) {
	in := blockRequest{Model: m.spec.Model, MaxTokens: m.limit(r), System: r.System, Messages: blockMessages(r)}
	for _, t := range r.Tools {
		in.Tools = append(in.Tools, blockTool{t.Name, t.About, t.Schema})
	}
	var out blockReply
	header := map[string]string{"X-Api-Key": keyMark, "Anthropic-Version": "2023-06-01"}
	path := "v1/messages"
	if strings.HasSuffix(strings.TrimRight(m.base.Path, "/"), "/v1") {
		path = "messages" // people write the base with and without it
	}
	if err := m.call(ctx, r, path, header, in, &out); err != nil {
		return hook.Reply{}, err
	}
	return out.reply(), nil
}

func blockMessages(r hook.Request) []blockMessage {
	list := make([]blockMessage, len(r.Turns))
	for i, t := range r.Turns {
		m := &list[i]
		m.Role = [...]string{"user", "assistant"}[i%2]
		for _, result := range t.Results {
			m.Content = append(m.Content, block{Type: "tool_result", ToolUseID: result.ID, Content: result.Text, IsError: result.Failed})
		}
		if strings.TrimSpace(t.Text) != "" { // a blank one is refused
			m.Content = append(m.Content, block{Type: "text", Text: t.Text})
		}
		for _, c := range t.Calls {
			m.Content = append(m.Content, block{Type: "tool_use", ID: c.ID, Name: c.Name, Input: inputOf(c)})
		}
	}
	return list
}

func (out blockReply) reply() hook.Reply {
	u := out.Usage
	r := hook.Reply{End: hook.EndDone, Usage: hook.Usage{In: u.InputTokens + u.CacheCreation + u.CacheRead, Out: u.OutputTokens}}
	for _, b := range out.Content {
		switch b.Type {
		case "text":
			r.Text += b.Text
		case "tool_use":
			call := hook.ToolCall{ID: b.ID, Name: b.Name}
			call.Input, _ = answer.Payload(b.Input) // absent tells the caller that it cannot be read
			r.Calls = append(r.Calls, call)
		}
	}
	switch out.StopReason {
	case "max_tokens", "model_context_window_exceeded":
		r.End = hook.EndCut
	case "refusal":
		r.End = hook.EndRefused
	case "tool_use":
		r.End = hook.EndTools
	}
	return r
}
