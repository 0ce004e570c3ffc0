package settings

import "errors"

// Load reads all layers of a workspace. The error is for a workspace or a
// named file that does not exist; all else is in the Diagnostics of the Files.
func Load(opts Options) (Set, error) { return Set{}, errors.New("not yet") }
