package answer

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// readSequence passes a terminal sequence on if it can do no more than ring,
// notify, or name the window.
func readSequence(r *reader, m member) {
	text, ok := r.text(m)
	if !ok {
		return
	}
	if !harmlessSequence(text) {
		r.warn(m, "is dropped: only BEL and OSC 0, 1, 2, 9, 99 and 777 may be sent")
		return
	}
	r.res.Specific = append(r.res.Specific, hook.Member{Name: m.name, Raw: m.raw})
}

// harmlessSequence reports whether text is nothing but BEL and whole
// operating system commands that set a title or show a notification.
func harmlessSequence(text string) bool {
	for text != "" {
		if text[0] == '\a' {
			text = text[1:]
			continue
		}
		command, rest, ok := cutCommand(text)
		number, payload, hasPayload := strings.Cut(command, ";")
		if !ok || !hasPayload || strings.ContainsFunc(payload, isControl) ||
			!slices.Contains([]string{"0", "1", "2", "9", "99", "777"}, number) {
			return false
		}
		text = rest
	}
	return true
}

// cutCommand splits "ESC ] command BEL rest"; ESC \ may stand for BEL.
func cutCommand(text string) (command, rest string, ok bool) {
	text, ok = strings.CutPrefix(text, "\x1b]")
	end := strings.IndexAny(text, "\a\x1b")
	if !ok || end < 0 {
		return "", "", false
	}
	command, rest = text[:end], text[end:]
	if rest[0] == '\a' {
		return command, rest[1:], true
	}
	rest, ok = strings.CutPrefix(rest, "\x1b\\")
	return command, rest, ok
}

func isControl(r rune) bool { return r < 0x20 || 0x7f <= r && r < 0xa0 }
