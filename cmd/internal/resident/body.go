package resident

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
)

// body is a reply as an http hook gives it: JSON says all, since there is no
// exit code and a status other than 200 decides nothing (Claude Code).
func body(c *call.Call, r dialect.Reply) []byte {
	out, told := bytes.TrimSpace(r.Stdout), strings.TrimSpace(string(r.Stderr))
	switch {
	case bytes.HasPrefix(out, []byte("{")):
		return out
	case r.Code != 0:
		return object("decision", "block", "reason", told)
	case len(out) > 0 && c.Event() == hook.WorktreeCreate:
		return append(append([]byte(`{"hookSpecificOutput":`), object("hookEventName", string(hook.WorktreeCreate), "worktreePath", string(out))...), '}')
	case told != "":
		return object("systemMessage", told)
	}
	return nil
}

// object is a JSON object of texts: name, value, …
func object(pairs ...string) []byte {
	var b bytes.Buffer
	for i := 0; i < len(pairs); i += 2 {
		b.WriteByte("{,"[min(i, 1)])
		for j, s := range pairs[i : i+2] {
			text, err := json.Marshal(s)
			if err != nil {
				text = []byte(`""`) // no string can fail
			}
			b.Write(text)
			if j == 0 {
				b.WriteByte(':')
			}
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}
