package lua

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/pawl-dev/pawl/engine/hook"
)

// wrongMembers finds fields and functions that a value does not have.
func wrongMembers(s *survey) (found []finding) {
	for _, m := range s.members {
		kind := s.kindOf(m.object)
		if _, known := s.library.types[kind]; !known || kind == "" || len(found) == maxFindings {
			continue
		}
		f := finding{hook.Warning, m.at, "", ""}
		if m.how == called {
			f.severity = hook.Error
		}
		entry, has := s.library.find(kind, m.name)
		switch {
		case has:
			f.message, f.advice = m.misuse(kind, entry)
		case kind == "Event":
			f.message, f.advice = s.eventMember(m)
		default:
			f.message, f.advice = s.noMember(m, kind)
			if kind == "Command" && f.advice != "" {
				f.severity = hook.Error // reading it raises an error
			}
		}
		if f.message != "" {
			found = append(found, f)
		}
	}
	return found
}

// shownObject names what a member is asked of.
func (m member) shownObject(kind string) string {
	switch e := m.object.(type) {
	case *ast.IdentExpr:
		return e.Value
	}
	return map[string]string{"string": "a text", "Event": "ev", "Command": "a command", "Task": "a task", "Subagent": "a subagent"}[kind]
}

// misuse tells of a method that is called with a dot, and of a function that
// is called with a colon.
func (m member) misuse(kind string, entry function) (message, advice string) {
	object := m.shownObject(kind)
	switch module := strings.HasSuffix(kind, "."); {
	case m.how != called:
	case module && m.method:
		return fmt.Sprintf("%s.%s is no method: it would get %s as its first argument", object, m.name, object), fmt.Sprintf("write %s.%s(…), with a dot", object, m.name)
	case !m.method && strings.HasPrefix(entry.args, "fun(self"):
		return fmt.Sprintf("%s is a method", m.name), fmt.Sprintf("write %s:%s(…), with a colon", object, m.name)
	}
	return "", ""
}

// agentNames are members of agents' messages that ev has under another name.
var agentNames = map[string]string{"tool_input": "input", "tool_name": "tool", "hook_event_name": "event", "last_assistant_message": "message"}

// sentNames are members of messages that ev has under their own name; they
// resemble fields of ev and are no mistakes.
var sentNames = []string{"task_id", "task_subject", "task_description", "task_result", "agent_id", "agent_name", "tool_use_id", "subagent_name", "subagent_task", "subagent_mode"}

// eventMember judges a name that ev does not have: hosts may send it.
func (s *survey) eventMember(m member) (message, advice string) {
	if field, ok := agentNames[m.name]; ok {
		return fmt.Sprintf("%s is what one agent calls it, and as it was before any rewrite", m.name), fmt.Sprintf("write %s.%s", m.shownObject("Event"), field)
	}
	if advice = misspelt(m.name, s.library.types["Event"]); advice == "" || slices.Contains(sentNames, m.name) {
		return "", ""
	}
	return fmt.Sprintf("%s has no field %q", m.shownObject("Event"), m.name), advice
}

func (s *survey) noMember(m member, kind string) (message, advice string) {
	var there []string
	for _, f := range s.library.types[kind] {
		there = append(there, f.name)
	}
	_, advice = absent{of: strings.TrimSuffix(kind, "."), name: m.name}.text(there)
	if id, ok := m.object.(*ast.IdentExpr); ok && s.libraryName(id) == "" {
		if _, has := s.library.find(id.Value+".", m.name); has {
			advice = fmt.Sprintf("%s of the library is hidden by a variable of that name", id.Value)
		}
	}
	return fmt.Sprintf("%s has no %q", m.shownObject(kind), m.name), advice
}

// lostWrites finds assignments to what a call is about, which change nothing.
func lostWrites(s *survey) (found []finding) {
	rewrites := map[*routine]bool{}
	for _, c := range s.calls {
		if s.libraryName(c.expr.Func) == "rewrite" {
			for f := c.in; f != nil; f = f.outer {
				rewrites[f] = true
			}
		}
	}
	for _, m := range s.stores {
		kind := s.kindOf(m.object)
		input, _ := m.object.(*ast.AttrGetExpr)
		switch {
		case slices.Contains([]string{"Event", "Command"}, kind):
			found = append(found, finding{hook.Error, m.at, fmt.Sprintf("%s cannot be written to", m.shownObject(kind)),
				"write local input = ev.input, change that, and return rewrite(input)"})
		case strings.HasSuffix(kind, "."):
			found = append(found, finding{hook.Error, m.at, fmt.Sprintf("%s cannot be written to", m.shownObject(kind)), ""})
		case input != nil && s.kindOf(input.Object) == "Event" && isKey(input, "input") && !rewrites[m.in]:
			found = append(found, finding{hook.Warning, m.at, "this changes a copy of the input and nothing else", "return rewrite(ev.input)"})
		}
	}
	return found
}

func isKey(e *ast.AttrGetExpr, name string) bool {
	key, ok := e.Key.(*ast.StringExpr)
	return ok && key.Value == name
}
