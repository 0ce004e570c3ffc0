package hook

import "slices"

// toolRow is one canonical tool with the names other hosts give it.
type toolRow struct {
	name    string
	aliases []string
	fields  []string // top-level input fields, nil where they are open
}

// tools is the one alias table of all dialects. The canonical names are
// Claude Code's. An alias that is itself canonical elsewhere is not listed.
var tools = []toolRow{
	{"Bash", []string{"run_shell_command", "shell", "bash", "Shell", "Execute", "execute_bash", "execute_command", "local_shell", "exec_command", "run_command"},
		[]string{"command", "description", "timeout", "run_in_background", "dangerouslyDisableSandbox"}},
	{"PowerShell", []string{"powershell", "pwsh"}, []string{"command", "description", "timeout", "run_in_background"}},
	{"Read", []string{"read_file", "view", "fs_read", "read"}, []string{"file_path", "offset", "limit", "pages"}},
	{"Write", []string{"write_file", "create", "Create", "write", "create_file"}, []string{"file_path", "content"}},
	{"Edit", []string{"replace", "edit", "apply_patch", "fs_write", "edit_file", "str_replace"},
		[]string{"file_path", "old_string", "new_string", "replace_all"}},
	{"MultiEdit", []string{"multiedit"}, []string{"file_path", "edits"}},
	{"NotebookEdit", nil, []string{"notebook_path", "new_source", "cell_id", "cell_type", "edit_mode"}},
	{"Glob", []string{"glob"}, []string{"pattern", "path"}},
	{"Grep", []string{"grep_search", "grep", "search_file_content"},
		[]string{"pattern", "path", "glob", "output_mode", "-i", "-n", "-A", "-B", "-C", "type", "head_limit", "multiline"}},
	{"LS", []string{"list_directory", "ls"}, []string{"path", "ignore"}},
	{"WebFetch", []string{"web_fetch", "fetch", "FetchUrl", "webfetch"}, []string{"url", "prompt", "offset"}},
	{"WebSearch", []string{"web_search", "google_web_search", "websearch"}, []string{"query", "allowed_domains", "blocked_domains"}},
	{"Agent", []string{"Task", "spawn_agent", "use_subagent", "agent", "task"},
		[]string{"prompt", "description", "subagent_type", "model", "run_in_background", "isolation"}},
	{"Skill", []string{"skill"}, []string{"skill", "args"}},
	{"TodoWrite", nil, nil}, {"TaskCreate", nil, nil}, {"TaskUpdate", nil, nil}, {"TaskGet", nil, nil},
	{"TaskList", nil, nil}, {"TaskOutput", nil, nil}, {"TaskStop", nil, nil}, {"BashOutput", nil, nil},
	{"KillShell", nil, nil}, {"AskUserQuestion", nil, nil}, {"ExitPlanMode", nil, nil}, {"EnterPlanMode", nil, nil},
	{"EnterWorktree", nil, nil}, {"SlashCommand", nil, nil}, {"SendMessage", nil, nil}, {"LSP", nil, nil},
	{"Monitor", nil, nil}, {"ToolSearch", nil, nil}, {"ListMcpResourcesTool", nil, nil},
	{"ReadMcpResourceTool", nil, nil}, {"SubagentHandback", nil, nil}, {"EndConversation", nil, nil}, {"Cd", nil, nil},
}

// toolIndex maps each name, canonical or alias, to its row.
var toolIndex = func() map[string]*toolRow {
	m := make(map[string]*toolRow, 4*len(tools))
	for i := range tools {
		for _, a := range tools[i].aliases {
			m[a] = &tools[i]
		}
	}
	for i := range tools {
		m[tools[i].name] = &tools[i]
	}
	return m
}()

// CanonicalTool returns Pawl's name of a host's tool; a name that the table
// does not know is its own canonical name.
func CanonicalTool(name string) string {
	if r, ok := toolIndex[name]; ok {
		return r.name
	}
	return name
}

// KnownTool reports whether name is a canonical tool name or Task.
func KnownTool(name string) bool {
	r, ok := toolIndex[name]
	return ok && (r.name == name || name == "Task")
}

// ToolFields returns the known top-level input fields of a canonical tool;
// nil where the table does not say.
func ToolFields(name string) []string {
	if r, ok := toolIndex[name]; ok {
		return slices.Clone(r.fields)
	}
	return nil
}

// ToolNames returns the canonical names in table order.
func ToolNames() []string {
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].name
	}
	return names
}
