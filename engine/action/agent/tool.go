package agent

import (
	"context"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Tool is something that the model of an agent hook may use.
type Tool struct {
	hook.ToolSpec
	// Run does it. It may be called by any number of goroutines at once and
	// returns promptly when ctx ends. An error is told to the model.
	Run func(ctx context.Context, u Use) (string, error)
}

// Use is one use of a tool.
type Use struct {
	Call  hook.Call   // what the hook runs on
	Root  string      // the project root, absolute
	Input hook.Object // as the model wrote it; nobody has checked it
	// MayRead tells why the policy keeps a file from being read, "" if it
	// does not; nil allows all.
	MayRead func(path string) (why string)
}

// ReadOnly returns the tools that look into the workspace and change nothing.
func ReadOnly() []Tool {
	return []Tool{
		{hook.ToolSpec{Name: "read", About: "Reads a text file of the workspace.",
			Schema: []byte(`{"type":"object","properties":{"path":{"type":"string"},"offset":{"type":"integer","description":"first line, from 1"},"limit":{"type":"integer","description":"number of lines"}},"required":["path"]}`)}, read},
		{hook.ToolSpec{Name: "grep", About: "Finds the lines of text files in the workspace that match a regular expression (RE2).",
			Schema: []byte(`{"type":"object","properties":{"pattern":{"type":"string"},"path":{"type":"string","description":"a file or directory; default all"},"glob":{"type":"string","description":"only in files that fit, such as *.go or src/**/*.ts"}},"required":["pattern"]}`)}, grep},
		{hook.ToolSpec{Name: "glob", About: "Lists the files of the workspace that fit a pattern such as *.go or src/**/*.ts.",
			Schema: []byte(`{"type":"object","properties":{"pattern":{"type":"string"}},"required":["pattern"]}`)}, glob},
	}
}
