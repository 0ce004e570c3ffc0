package hook

import "io/fs"

// Stand is what stands in for one file.
type Stand struct {
	Text []byte      // nil: there is to be no such file
	Dir  string      // of a settings file: where its relative paths begin
	Mode fs.FileMode // of a file that hooks run: its permissions
	// Sum is set for a file that is too large to be kept, which has no Text: the
	// SHA-256, in hex, that the file on disk must have.
	Sum string
}

// Overlay stands in for a part of the disk: files as they were accepted, which
// may have changed since without anybody's leave. Whoever reads settings, or
// runs what they name, asks it before looking at the disk. A nil Overlay
// stands in for nothing. Its funcs are pure.
type Overlay struct {
	// File is what stands at path; ok is false for what is read from disk.
	File func(path string) (s Stand, ok bool)
	// Names are what lies in dir besides what a listing of it tells.
	Names func(dir string) []string
	// Whole: there are no other settings files than these, whatever is on disk.
	Whole bool
}

// Stands returns what is read in place of the settings file at path.
func (o *Overlay) Stands(path string) (s Stand, ok bool) {
	if o == nil {
		return Stand{}, false
	}
	s, ok = o.File(path)
	return s, ok || o.Whole
}

// HasDir reports whether something stands below dir, which is a directory
// then even if the disk has none.
func (o *Overlay) HasDir(dir string) bool { return o != nil && len(o.Names(dir)) > 0 }

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
