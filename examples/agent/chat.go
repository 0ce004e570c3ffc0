package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

const maxReply = 4 << 20 // bytes of an answer over HTTP

// Chat is a Model behind an endpoint that speaks OpenAI's chat completions.
type Chat struct {
	URL, Name, Key string // https://api.openai.com/v1, the model, a key or ""
	Client         *http.Client
}

type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type chatMessage struct {
	Role    string     `json:"role"`
	Content string     `json:"content"`
	Calls   []chatCall `json:"tool_calls,omitempty"`
	Of      string     `json:"tool_call_id,omitempty"`
}

// Next asks the endpoint. An answer of 429 or 5xx is *Overloaded.
func (c *Chat) Next(ctx context.Context, r Request) (Reply, error) {
	body, err := json.Marshal(c.body(r))
	if err != nil {
		return Reply{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return Reply{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.Key)
	}
	resp, err := c.Client.Do(req)
	if err != nil {
		return Reply{}, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	switch {
	case err != nil:
		return Reply{}, err
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500:
		return Reply{}, &Overloaded{fmt.Errorf("%s", resp.Status)}
	case resp.StatusCode != http.StatusOK:
		return Reply{}, fmt.Errorf("model %s: %s: %.300s", c.Name, resp.Status, data)
	}
	return readChat(data)
}

func (c *Chat) body(r Request) map[string]any {
	var messages []chatMessage
	for _, m := range r.Messages {
		out := chatMessage{Role: m.Role, Content: m.Text, Of: m.Of}
		for _, call := range m.Calls {
			x := chatCall{ID: call.ID, Type: "function"}
			x.Function.Name, x.Function.Arguments = call.Name, string(call.Input)
			out.Calls = append(out.Calls, x)
		}
		messages = append(messages, out)
	}
	var tools []any
	for _, t := range r.Tools {
		properties := map[string]any{}
		for _, name := range t.Params {
			properties[name] = map[string]string{"type": "string"}
		}
		tools = append(tools, map[string]any{"type": "function", "function": map[string]any{"name": t.Name, "description": t.About,
			"parameters": map[string]any{"type": "object", "properties": properties, "required": t.Params}}})
	}
	return map[string]any{"model": c.Name, "messages": messages, "tools": tools}
}

func readChat(data []byte) (Reply, error) {
	var answer struct {
		Choices []struct {
			Message struct {
				Content string     `json:"content"`
				Calls   []chatCall `json:"tool_calls"`
			} `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return Reply{}, fmt.Errorf("the answer of the model: %w", err)
	}
	if len(answer.Choices) == 0 {
		return Reply{}, fmt.Errorf("the answer of the model has no choices: %.300s", data)
	}
	m := answer.Choices[0].Message
	r := Reply{Text: m.Content}
	for _, call := range m.Calls {
		r.Calls = append(r.Calls, ToolCall{call.ID, call.Function.Name, json.RawMessage(call.Function.Arguments)})
	}
	return r, nil
}
