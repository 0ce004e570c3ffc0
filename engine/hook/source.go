package hook

// Layer says who wrote a hook. Layers run in the order of their ranks.
type Layer uint8

const (
	Managed Layer = iota // the company: cannot be disabled from below
	User
	Project
	Local
	Plugin
	Skill
	Builtin // Pawl itself
	Session // the embedding host, by WithHook
)

var layers = [...]struct {
	name string
	rank int
}{
	{"managed", 0}, {"user", 100}, {"project", 200}, {"local", 300},
	{"plugin", 999}, {"skill", 1000}, {"builtin", 1100}, {"session", 1200},
}

// String returns the lower-case name of l.
func (l Layer) String() string { return layers[min(l, Session)].name }

// Rank returns the place of l in the order of hooks, lowest first (seed 2;
// echo-agent runs user, then plugins, then skills).
func (l Layer) Rank() int { return layers[min(l, Session)].rank }

// Workspace reports whether hooks of l come with the workspace, so that a
// cloned repository may have brought them. Of a plugin [Source.Workspace]
// tells.
func (l Layer) Workspace() bool { return l == Project || l == Local || l == Skill }

// Style is the family of hook semantics that a file follows, by its name.
type Style uint8

const (
	Echo   Style = iota // pawl.yaml, echo-agent.yaml, skills: `prompt` injects
	Claude              // settings*.json, plugin hooks.json: `prompt` asks a model
)

// Source is the file, or other origin, that a hook comes from.
type Source struct {
	Layer Layer
	Name  string // plugin or skill name, else ""
	By    Layer  // of a plugin: the layer whose settings enabled it
	File  string // absolute path, "" for builtin and session hooks
	Dir   string // anchor of its relative things: the project root, or the skill's or plugin's directory
	Style Style
}

// Authority returns the layer that answers for s: of a plugin the one that
// enabled it.
func (s Source) Authority() Layer {
	if s.Layer == Plugin {
		return s.By
	}
	return s.Layer
}

// Workspace reports whether a cloned repository may have brought s.
func (s Source) Workspace() bool { return s.Authority().Workspace() }

// String returns the layer, and the name of a plugin or skill: "plugin:lint".
func (s Source) String() string {
	if s.Name == "" {
		return s.Layer.String()
	}
	return s.Layer.String() + ":" + s.Name
}
