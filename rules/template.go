package rules

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	maxTemplate = 10_000
	maxValue    = 1_000
)

// Template fills ${tool_input.a.b}, ${tool_name}, ${cwd} and the other fields
// of an event into a text for people. What the event has not is left empty;
// control characters of values are escaped, values cut at 1,000 bytes and the
// whole at 10,000.
func Template(text string, f *hook.Facts) string {
	if !strings.Contains(text, "${") {
		return cut(text, maxTemplate)
	}
	var b strings.Builder
	for b.Len() < maxTemplate {
		head, rest, ok := strings.Cut(text, "${")
		b.WriteString(head)
		if !ok {
			break
		}
		name, tail, ok := strings.Cut(rest, "}")
		if !ok {
			b.WriteString("${" + rest)
			break
		}
		b.WriteString(escapeControls(cut(eventField(strings.TrimSpace(name), f), maxValue)))
		text = tail
	}
	return cut(b.String(), maxTemplate)
}

// cut shortens s to at most n bytes at a rune border.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

func escapeControls(s string) string {
	if strings.IndexFunc(s, isHidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isHidden(r) {
			q, _ := json.Marshal(string(r))
			if len(q) > 3 {
				b.Write(q[1 : len(q)-1])
				continue
			}
			r = unicode.ReplacementChar
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isHidden(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// eventField looks up one field; "" where there is none.
func eventField(name string, f *hook.Facts) string {
	ev := &f.Event
	head, rest, nested := strings.Cut(name, ".")
	var v any
	switch head {
	case "tool_input", "input":
		if !nested {
			return string(ev.Input.Raw())
		}
		return lookup(ev.Input.View(), rest)
	case "tool_name":
		v = orElse(ev.HostTool, ev.Tool)
	case "tool":
		v = ev.Tool
	case "event", "hook_event_name":
		v = string(ev.Name)
	case "cwd":
		v = ev.Dir
	case "session_id":
		v = ev.Session
	case "subject":
		v = ev.MatchSubject()
	case "prompt":
		v = ev.Prompt
	case "permission_mode":
		v = ev.Mode
	case "agent_type":
		v = ev.Agent
	case "host":
		v = f.Host()
	default:
		return lookup(ev.More.View(), name)
	}
	s, _ := v.(string)
	return s
}

// lookup follows a dotted name through objects.
func lookup(view map[string]any, name string) string {
	for {
		head, rest, more := strings.Cut(name, ".")
		v := view[head]
		if !more {
			if s, ok := scalar(v); ok || v == nil {
				return s
			}
			b, err := json.Marshal(v)
			if err != nil {
				return ""
			}
			return string(b)
		}
		view, _ = v.(map[string]any)
		name = rest
	}
}
