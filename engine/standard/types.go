package standard

import (
	"maps"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/action/agent"
	"github.com/pawl-dev/pawl/engine/action/command"
	"github.com/pawl-dev/pawl/engine/action/mcptool"
	"github.com/pawl-dev/pawl/engine/action/prompt"
	"github.com/pawl-dev/pawl/engine/action/webhook"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/model"
)

// Options are what a host may choose. The zero Options are fine.
type Options struct {
	Command command.Options
	HTTP    webhook.Options
	MCP     mcptool.Options
	Model   model.Options
	// Providers are APIs of models beside openai and anthropic.
	Providers map[string]hook.Provider
	// Tools are those of agent hooks; nil is agent.ReadOnly().
	Tools []agent.Tool
}

// Types gives an engine all hook types. One Option may be given to any number
// of engines: what the types keep open belongs to each of them alone.
func Types(opts Options) engine.Option {
	return engine.WithOptions(func() []engine.Option {
		clients := model.New(opts.Model)
		models := prompt.Options{Providers: clients.Providers()}
		maps.Copy(models.Providers, opts.Providers)
		asking := prompt.Type(models)
		asking.Close = clients.Close
		return []engine.Option{
			engine.WithType("command", command.Type(opts.Command)),
			engine.WithType("http", webhook.Type(opts.HTTP)),
			engine.WithType("mcp_tool", mcptool.New(opts.MCP)),
			engine.WithType("prompt", asking),
			engine.WithType("agent", agent.Type(agent.Options{Options: models, Tools: opts.Tools})),
		}
	})
}
