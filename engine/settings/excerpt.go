package settings

import "github.com/pawl-dev/pawl/engine/hook"

// Excerpt returns the line of src at pos with a caret below the column.
func Excerpt(src []byte, pos hook.Position) string { return "" }
