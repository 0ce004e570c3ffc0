package answer

import (
	"maps"
	"slices"
	"unicode/utf8"
)

// spellings finds the exact spelling of a protocol's name by its folded one.
type spellings map[string]string

// answerNames are the names of fields; messageNames are those and the ones
// that events use; replyNames are those that decide in a model's reply, where
// other objects may stand in the text around it. A name that differs from one of them only in case is never
// a member of its own: a reader that ignores case takes it for the protocol's.
var (
	answerNames = func() spellings {
		own := make(spellings)
		for _, f := range fields {
			own.add(f.name)
		}
		return own
	}()
	replyNames = func() spellings {
		own := make(spellings)
		own.add("decision", "ok", "impossible")
		return own
	}()
	messageNames = func() spellings {
		own := maps.Clone(answerNames)
		own.add("event", "hook_event_name", "session_id", "transcript_path", "cwd", "permission_mode", "timestamp",
			"tool_name", "tool_input", "tool_response", "tool_use_id", "tool_calls", "mcp_server",
			"agent_id", "agent_type", "prompt", "source", "trigger", "file_path", "command_name",
			"notification_type", "load_reason", "error", "to_model", "from_model", "mcp_server_name",
			"stop_hook_active", "last_assistant_message")
		return own
	}()
)

func (s spellings) add(names ...string) {
	for _, name := range names {
		folded, _ := fold(name)
		s[folded] = name
	}
}

// variant returns the protocol's name that name equals but for case, or "".
func (s spellings) variant(name string) string {
	folded, ok := fold(name)
	if own := s[folded]; ok && own != name {
		return own
	}
	return ""
}

// protocolLevels are the names whose objects, or lists of objects, use the
// protocol's names too. What any other member holds is free-form.
var protocolLevels = []string{"hookSpecificOutput", "decision", "tool_calls", "mcp_server"}

// inside returns the names that count in the value of name.
func (s spellings) inside(name string) spellings {
	if s == nil || !slices.Contains(protocolLevels, name) {
		return nil
	}
	return s
}

// longestName bounds what fold looks at; no protocol name is longer.
const longestName = 64

// fold returns name in lower case by Unicode's simple folding, in which the
// long s (U+017F) is an s and the Kelvin sign (U+212A) a k. It gives up on
// names that hold any other rune outside ASCII: none of ours does.
func fold(name string) (string, bool) {
	if len(name) > longestName {
		return "", false
	}
	folded := make([]byte, 0, longestName)
	for _, r := range name {
		switch {
		case 'A' <= r && r <= 'Z':
			r += 'a' - 'A'
		case r == '\u017f':
			r = 's'
		case r == '\u212a':
			r = 'k'
		case r >= utf8.RuneSelf:
			return "", false
		}
		folded = append(folded, byte(r))
	}
	return string(folded), true
}
