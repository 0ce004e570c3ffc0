package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/engine/hook"
)

// maxFile is the most bytes that a settings file may have.
const maxFile = 4 << 20

const skillFile = "SKILL.md"

// ParseFile reads the text of one settings file. Whether it is a skill or the
// definition of a subagent says path, whether it is JSON or YAML its first
// character. src goes
// into every Spec, with path as its file where it names none. It is pure.
func ParseFile(path string, data []byte, src hook.Source) File {
	if filepath.Base(path) == skillFile {
		return parseAs(path, data, src, (*decoder).skill)
	}
	if isAgent(path) {
		return parseAs(path, data, src, (*decoder).agent)
	}
	return parseAs(path, data, src, (*decoder).whole)
}

// parseAs lets read make a File of a text that is one at all.
func parseAs(path string, data []byte, src hook.Source, read func(*decoder)) File {
	if src.File == "" {
		src.File = path
	}
	sum := sha256.Sum256(data)
	d := decoder{text: newText(path, data), File: File{Source: src, Hash: hex.EncodeToString(sum[:]), Text: data}}
	switch {
	case len(data) > maxFile:
		d.lost(hook.Diagnostic{Pos: hook.Position{File: path}, Message: fmt.Sprintf("larger than %d MiB", maxFile>>20)})
	case !utf8.Valid(data):
		d.lost(*d.text.broken(invalidAt(data), "not valid UTF-8", "save it as UTF-8"))
	default:
		read(&d)
	}
	return d.File
}

var bom = []byte("\xef\xbb\xbf")

// start is the offset behind a byte order mark.
func (t *text) start() int {
	if bytes.HasPrefix(t.data, bom) {
		return len(bom)
	}
	return 0
}

// whole reads a text that is settings from end to end.
func (d *decoder) whole() {
	var root *node
	var bad *hook.Diagnostic
	from := d.text.start()
	if jsonBegins(d.text.data[from:]) || strings.HasSuffix(d.text.file, ".json") {
		root, bad = readJSON(d.text, from)
	} else {
		root, bad = readYAML(d.text, from, len(d.text.data))
	}
	if bad != nil {
		d.lost(*bad)
	} else if root != nil {
		d.top(root)
	}
}

// invalidAt returns the offset of the first byte that is not UTF-8.
func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
	return len(data)
}
