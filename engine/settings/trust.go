package settings

// Trust is the list of directories whose hooks may run.
type Trust struct{}

// OpenTrust reads the list kept in dir.
func OpenTrust(dir string) (*Trust, error) { return &Trust{}, nil }

// Trusted reports whether root, or a directory above it, is on the list.
func (t *Trust) Trusted(root string) bool { return false }

// Add puts root on the list.
func (t *Trust) Add(root string) error { return nil }

// Remove takes root off the list.
func (t *Trust) Remove(root string) error { return nil }
