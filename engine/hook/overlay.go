package hook

// Overlay stands in for a part of the disk: the texts of settings that were
// accepted, where their files have changed since without anybody's leave.
// Loaders ask it before they look at the disk. A nil Overlay stands in for
// nothing. Its funcs are pure.
type Overlay struct {
	// Text is what a loader reads in place of the file at path, nil if there
	// is to be no such file; ok is false for one that is read from disk.
	Text func(path string) (text []byte, ok bool)
	// Names are what lies in dir besides what a listing of it tells.
	Names func(dir string) []string
}

// Stands returns Text of a path, for any Overlay.
func (o *Overlay) Stands(path string) (text []byte, ok bool) {
	if o == nil {
		return nil, false
	}
	return o.Text(path)
}

// Listing completes the names that a listing of dir gave; in and out are in no
// order, and each name stands once.
func (o *Overlay) Listing(dir string, names []string) []string {
	if o == nil {
		return names
	}
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		seen[name] = true
	}
	for _, name := range o.Names(dir) {
		if !seen[name] {
			seen[name], names = true, append(names, name)
		}
	}
	return names
}
