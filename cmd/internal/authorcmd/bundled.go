package authorcmd

import (
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
)

// openBundled makes an engine of one policy that this program carries, as if
// it were the file path of the workspace root.
func (o Options) openBundled(path string, data []byte, root string) (*engine.Engine, error) {
	file := settings.ParseFile(path, data, hook.Source{Layer: hook.Project, File: path, Dir: root})
	file.Trusted = true
	set := settings.Set{Files: []settings.File{file}, Root: root}
	return engine.New(set, append(rehearsal(), o.Engine...)...)
}
