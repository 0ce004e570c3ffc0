package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// services are what the policy asks. They stand for those of a company.
func services(token string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /review", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		var event struct {
			Input struct{ Command string } `json:"tool_input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&event); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer := map[string]string{}
		if strings.Contains(event.Input.Command, "terraform destroy") {
			answer = map[string]string{"decision": "deny", "reason": "ask the operators before you destroy anything"}
		}
		json.NewEncoder(w).Encode(answer)
	})
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return paths() },
		&mcp.StreamableHTTPOptions{Stateless: true}))
	return mux
}

// paths is an MCP server with one tool. Its text is an answer, as a command
// would print it.
func paths() *mcp.Server {
	type input struct {
		Path string `json:"path"`
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "paths", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "check", Description: "says whether a path may be written"},
		func(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
			text := "{}"
			if strings.HasPrefix(in.Path, "/etc/") {
				text = `{"decision": "ask", "reason": "a file of the system"}`
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		})
	return s
}
