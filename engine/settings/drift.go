package settings

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Drift tells how the file at path differs from what is pinned in its place,
// if it does.
func Drift(path string, pinned hook.Stand) (d hook.Diagnostic, differs bool) {
	d = hook.Diagnostic{Severity: hook.Warning, Pos: hook.Position{File: path}, Advice: "pawl trust --pin"}
	data, err := ReadFile(path)
	gone := errors.Is(err, fs.ErrNotExist)
	switch {
	case pinned.Text == nil && !gone:
		d.Message = "has come since the workspace was pinned: it has no effect"
	case pinned.Text != nil && gone:
		d.Message = "is gone since it was pinned: it stays in force"
	case pinned.Text != nil && err != nil:
		d.Message = "has changed since it was pinned, which stays in force: it " + err.Error()
	case pinned.Text != nil && !bytes.Equal(data, pinned.Text):
		d.Message = "has changed since it was pinned: what it was then stays in force"
	default:
		return hook.Diagnostic{}, false
	}
	return d, true
}
