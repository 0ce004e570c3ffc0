package settings

import "github.com/pawl-dev/pawl/engine/hook"

// ParseFile reads the text of one settings file. It is pure.
func ParseFile(path string, data []byte, src hook.Source) File { return File{Source: src} }
