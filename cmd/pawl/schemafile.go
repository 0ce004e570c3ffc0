package main

import (
	"maps"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// schemaID is where the schema of the newest version is.
const schemaID = "https://raw.githubusercontent.com/pawl-dev/pawl/main/schema/pawl.schema.json"

// object is a part of the JSON Schema (draft 2020-12).
type object map[string]any

// with returns o with a description and more members.
func (o object) with(about string, more ...object) object {
	all := maps.Clone(o)
	if about != "" {
		all["description"] = about
	}
	for _, m := range more {
		maps.Copy(all, m)
	}
	return all
}

func ofType(kind string) object   { return object{"type": kind} }
func enum(words ...string) object { return object{"enum": words} }
func listOf(item object) object   { return object{"type": "array", "items": item} }
func ref(name string) object      { return object{"$ref": "#/$defs/" + name} }
func required(keys ...string) object {
	return object{"required": keys}
}
func either(options ...object) object { return object{"anyOf": options} }

// closed is an object that has no other members than properties.
func closed(properties object, more ...object) object {
	return object{"type": "object", "properties": properties, "additionalProperties": false}.with("", more...)
}

func filled() object { return object{"type": "string", "minLength": 1} }
func truth() object  { return ofType("boolean") }

// hookType is a type of hook and what it has beside what all have.
type hookType struct {
	name, about string
	fields      object
	rest        object
}

func hookTypes() []hookType {
	decision := enum("allow", "deny", "ask", "defer", "approve", "block").with("deny: it does not happen; ask: a person decides; allow: nobody is asked")
	reason := ofType("string").with("for the model and the user; ${tool_input.file_path} and the like are filled in")
	return []hookType{
		{"command", "runs a program: exit 0 with JSON decides, exit 2 denies; needs pawl trust", object{
			"command": filled().with("for bash -c, or the program where there are args"),
			"args":    listOf(ofType("string")).with("arguments; no shell is between"),
			"shell":   enum("bash", "powershell"),
			"sandbox": either(truth(), closed(object{"network": truth(), "read": listOf(filled()), "write": listOf(filled())})).with("run it under bwrap: no network, the project and the system to read, and what this adds"),
		}, required("type", "command")},
		{"expr", "a fixed decision under a condition", object{"decision": decision, "reason": reason}, required("type", "decision")},
		{"lua", "a script or the body of a handler", object{
			"script": filled().with("a Lua file that returns function(ev) … end"),
			"lua":    filled().with("the body of a handler: if ev.host == \"\" then return deny(\"why\") end"),
		}, object{"required": []string{"type"}, "oneOf": []object{required("script"), required("lua")}}},
		{"permission", "a fixed decision", object{"decision": decision, "reason": reason, "suggestions": listOf(ofType("string"))}, required("type", "decision")},
		{"http", "sends the event to a server, whose JSON answer decides; needs pawl trust and pawld", object{
			"url":            filled().with("http or https, as it is: no variables"),
			"method":         filled().with("POST (the default), PUT or PATCH"),
			"headers":        texts().with("with $NAME of allowedEnvVars"),
			"allowedEnvVars": listOf(filled()),
			"retries":        object{"type": "integer", "minimum": 0, "maximum": 10}.with("of a hook in the background"),
		}, required("type", "url")},
		{"mcp_tool", "calls a tool of an MCP server of mcpServers; needs pawl trust and pawld", object{
			"server":    filled(),
			"tool":      filled(),
			"input":     ofType("object").with("its arguments, with ${tool_input.file_path} and the like"),
			"arguments": ofType("object").with("the same as input"),
		}, required("type", "server", "tool")},
		{"prompt", "adds its text for the model, or has a model judge the event (needs pawl trust and pawld)", judged(object{
			"mode": enum("inject", "evaluate", "observe"),
		}), required("type", "prompt")},
		{"agent", "a model judges the event in several steps, with tools to look; needs pawl trust and pawld", judged(object{
			"task":           filled().with("the same as prompt"),
			"name":           filled(),
			"tools":          listOf(filled()),
			"maxTurns":       ofType("integer"),
			"max_iterations": ofType("integer").with("the same as maxTurns"),
			"tokenBudget":    ofType("integer"),
		}), object{"required": []string{"type"}, "anyOf": []object{required("prompt"), required("task")}}},
	}
}

func texts() object { return object{"type": "object", "additionalProperties": ofType("string")} }

// judged are the fields of what a model is asked.
func judged(more object) object {
	more["prompt"] = filled().with("with $ARGUMENTS where the event goes")
	more["model"] = filled().with("one of models")
	more["mayAllow"] = truth().with("an approval allows, instead of saying nothing")
	more["continueOnBlock"] = truth()
	return more
}

func timeSpan() object {
	return either(object{"type": "number", "exclusiveMinimum": 0}, object{"type": "string", "pattern": `^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+$`})
}

// entryFields are those that every hook and rule may have.
func entryFields() object {
	return object{
		"if":            filled().with("one permission pattern that must fit too: Bash(git push *)"),
		"when":          filled().with("a condition that must hold too: flag(\"--force\") and permission_mode != \"plan\""),
		"timeout":       timeSpan().with("\"5s\", \"1500ms\", or a number: seconds below 1000, else milliseconds"),
		"async":         truth().with("in the background; decides nothing"),
		"asyncRewake":   truth().with("in the background, and may wake the agent"),
		"once":          truth().with("once in a session"),
		"message":       ofType("string").with("shown while it runs"),
		"statusMessage": ofType("string").with("shown while it runs"),
		"onFailure":     enum("continue", "block").with("what follows from an error"),
		"unknown":       enum("ask", "deny", "skip").with("where the text cannot tell whether it fits; default ask"),
		"mode":          object{"const": "observe", "description": "record what it would say, and decide nothing"},
		"description":   ofType("string"),
	}
}

const matcherAbout = "a tool, a list (Edit|Write), a pattern (Bash(rm *), Read(~/.ssh/**)) or a regular expression; none fits everything"

func ruleSchema() object {
	event := enum(hook.EventNames()...)
	rule := entryFields().with("", object{
		"name":     filled().with("its id in decisions and traces"),
		"on":       either(event, listOf(event).with("", object{"minItems": 1})),
		"match":    filled().with(matcherAbout),
		"matcher":  filled().with("the same as match"),
		"type":     object{"const": "expr"},
		"decision": enum("allow", "deny", "ask", "defer", "approve", "block"),
		"reason":   ofType("string").with("for the model and the user; ${tool_input.file_path} and the like are filled in"),
	})
	rule["description"] = ofType("string")
	return closed(rule, required("on", "decision"), either(required("match"), required("matcher"), required("if"), required("when")))
}

func groupSchema() object {
	all := entryFields()
	group := object{"matcher": ofType("string").with(matcherAbout), "match": ofType("string").with("the same as matcher"),
		"hooks": listOf(ref("hook")), "parallel": truth().with("its hooks run at the same time"), "mode": enum("observe", "inject", "evaluate")}
	for _, key := range strings.Fields("if when timeout unknown onFailure description") {
		group[key] = all[key]
	}
	return closed(group, required("hooks"))
}

// hookSchema picks the schema of a hook by its type.
func hookSchema(types []hookType) object {
	names, cases := []string{}, []object{}
	for _, t := range types {
		names = append(names, t.name)
		cases = append(cases, object{"if": object{"properties": object{"type": object{"const": t.name}}, "required": []string{"type"}}, "then": ref(t.name)})
	}
	return object{"type": "object", "required": []string{"type"}, "properties": object{"type": enum(names...)}, "allOf": cases}
}

func permissionsSchema() object {
	list := func(about string) object {
		return listOf(filled()).with(about + `: ["Bash(git push *)", "Read(~/.ssh/**)", "WebFetch(domain:example.com)"]`)
	}
	return closed(object{"deny": list("what does not happen"), "ask": list("what a person decides"), "allow": list("what nobody is asked for"),
		"unknown": enum("ask", "deny", "skip")})
}

// recoverySchema is an entry of tasks or subagents; last is what only one of
// them has.
func recoverySchema(last string, value object) object {
	duration := entryFields()["timeout"].(object)
	return closed(object{
		"match":   filled().with("names, a list of them (a|b) or a regular expression: of subjects of tasks, or of agents"),
		"timeout": duration.with("of one attempt: \"90s\", \"20m\", or a number: seconds below 1000, else milliseconds"),
		"retry": closed(object{
			"max":      object{"type": "integer", "minimum": 0, "maximum": 1000}.with("how often it is tried again"),
			"delay":    either(object{"type": "number", "minimum": 0}, duration).with("before it is; default 1s"),
			"backoff":  object{"type": "number", "minimum": 1, "maximum": 100}.with("each delay is so many times the one before; default 1"),
			"maxDelay": duration.with("no delay is longer; default 1m, or the first delay if that is more"),
		}, required("max")),
		last:          value,
		"description": ofType("string"),
	})
}

func wrapperSchema() object {
	options := either(ofType("string"), listOf(ofType("string")))
	return closed(object{
		"name": filled(), "flags": options.with("options without a value"), "values": options.with("options with a value"), "optional": options,
		"shell": options, "chdir": options, "env": truth(), "text": truth(), "dashes": truth(), "operands": object{"type": "integer", "minimum": 0, "exclusiveMaximum": 100},
	}, required("name"))
}

func modelSchema() object {
	return closed(object{
		"provider":   filled().with("openai (which many servers speak) or anthropic"),
		"model":      filled().with("the provider's name of it"),
		"base_url":   filled().with("the provider's own if it is left out"),
		"key_env":    filled().with("the variable that holds the key"),
		"timeout":    timeSpan().with("of one question"),
		"max_tokens": object{"type": "integer", "minimum": 1, "description": "the most of one reply"},
	}, required("provider", "model"))
}

// serverSchema is open: other hosts have more keys.
func serverSchema() object {
	return object{"type": "object", "properties": object{
		"type":    enum("stdio", "http", "streamable-http", "streamable_http"),
		"command": filled().with("a program that talks over stdin and stdout; ${NAME} and ${NAME:-default} are variables, here and below"),
		"args":    listOf(ofType("string")),
		"env":     texts(),
		"cwd":     filled(),
		"url":     filled().with("of a server that talks over HTTP"),
		"headers": texts(),
	}, "oneOf": []object{required("command"), required("url")}}
}

// policySchema is the JSON Schema of pawl.yaml, made from the table of events
// and the tables above. It is stricter than the reader where that only warns:
// on events that no agent fires, and on unknown keys.
func policySchema() object {
	events := object{}
	for _, name := range hook.EventNames() {
		events[name] = ref("groups")
	}
	defs := object{
		"groups":   listOf(ref("group")),
		"group":    groupSchema(),
		"rule":     ruleSchema(),
		"wrapper":  wrapperSchema(),
		"model":    modelSchema(),
		"server":   serverSchema(),
		"task":     recoverySchema("skip", truth().with("when no retry is left, the plan goes on without it")),
		"subagent": recoverySchema("delegate", filled().with("when no retry is left, this agent is sent")),
	}
	types := hookTypes()
	defs["hook"] = hookSchema(types)
	for _, t := range types {
		fields := entryFields().with("", t.fields, object{"name": ofType("string"), "type": object{"const": t.name}, "description": ofType("string")})
		defs[t.name] = closed(fields, t.rest).with(t.about)
	}
	return closed(object{
		"$schema":                ofType("string"),
		"description":            ofType("string"),
		"rules":                  listOf(ref("rule")).with("an event, a pattern, a condition if need be, a decision"),
		"permissions":            permissionsSchema().with("one pattern each; deny comes before ask, ask before allow"),
		"policies":               listOf(filled()).with("Lua files, or directories of them"),
		"plugins":                listOf(filled()).with("directories of plugins: hooks/hooks.json or .claude-plugin/plugin.json is in each"),
		"enabledPlugins":         object{"type": "object", "additionalProperties": either(truth(), listOf(ofType("string")))}.with("plugins of Claude Code, name@marketplace: true; read with --claude-settings"),
		"hooks":                  closed(events).with("by event: lists of a matcher and its hooks"),
		"tasks":                  either(ref("task"), listOf(ref("task"))).with("what becomes of tasks that fail; of a list, the first entry that fits counts"),
		"subagents":              either(ref("subagent"), listOf(ref("subagent"))).with("what becomes of subagents that fail; of a list, the first entry that fits counts"),
		"failClosed":             truth().with("every failure blocks"),
		"disableAllHooks":        truth().with("silences this layer and those after it"),
		"allowManagedHooksOnly":  truth().with("in managed files: silences all other layers"),
		"wrappers":               listOf(ref("wrapper")).with("programs of yours that run their operands"),
		"mcpServers":             object{"type": "object", "additionalProperties": ref("server")}.with("the MCP servers of mcp_tool hooks, by name"),
		"models":                 object{"type": "object", "additionalProperties": ref("model")}.with("the models that hooks ask, by the name that hooks call them by; one named default is for those that name none"),
		"allowedHttpHookUrls":    listOf(filled()).with("http hooks may call these URLs alone; * stands for any text"),
		"httpHookAllowedEnvVars": listOf(filled()).with("headers of http hooks may use these variables alone"),
	}, object{
		"$schema":           "https://json-schema.org/draft/2020-12/schema",
		"$id":               schemaID,
		"title":             "A policy of Pawl",
		"patternProperties": object{"^x-": true},
		"$defs":             defs,
	})
}
