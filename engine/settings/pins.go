package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/engine/hook"
)

// What is pinned of a directory is one file in pins (0700), which is named by
// the SHA-256 of its content and never changes: a line of JSON with a pinned
// for each file, then the texts of the files in that order.

// Pinned is one file that is pinned.
type Pinned struct {
	Path string // absolute
	hook.Stand
}

// pinned is a Pinned as it is stored. Paths in the workspace are relative to
// it.
type pinned struct {
	Path string      `json:"path"`
	Dir  string      `json:"dir,omitempty"`
	Mode fs.FileMode `json:"mode,omitempty"`
	Size int         `json:"size"` // -1: no text
	Sum  string      `json:"sum,omitempty"`
}

const (
	maxPin  = 64 << 20
	pinsAge = time.Hour // that a pin is kept for those who have just read the list
)

// Pin puts root on the list and pins files: what they are now is what counts
// of that workspace, whatever becomes of them.
func (t *Trust) Pin(root string, files []Pinned) error {
	abs, err := filepath.Abs(root)
	if err != nil {
		return fmt.Errorf("pin %s: %w", root, err)
	}
	return t.put(root, func(real string) (string, error) {
		data, err := encodePins(workspacePaths{abs, real}, files)
		if err != nil {
			return "", fmt.Errorf("pin %s: %w", root, err)
		}
		sum := sha256.Sum256(data)
		pin := hex.EncodeToString(sum[:])
		if err := os.MkdirAll(t.pins(), 0o700); err != nil {
			return "", fmt.Errorf("pin: %w", err)
		}
		if err := replace(filepath.Join(t.pins(), pin), data); err != nil {
			return "", fmt.Errorf("pin: %w", err)
		}
		return pin, nil
	})
}

func (t *Trust) pins() string { return filepath.Join(t.dir, "pins") }

func isSum(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size && hex.EncodeToString(b) == s
}

// sweepPins removes pins that are on the list no more, except young ones:
// somebody may be about to read them.
func (t *Trust) sweepPins() {
	entries, _ := os.ReadDir(t.pins())
	for _, e := range entries {
		listed := slices.ContainsFunc(t.list, func(d Trusted) bool { return d.Pin == e.Name() })
		if info, err := e.Info(); err == nil && !listed && time.Since(info.ModTime()) > pinsAge {
			_ = os.Remove(filepath.Join(t.pins(), e.Name()))
		}
	}
}

func encodePins(paths workspacePaths, files []Pinned) ([]byte, error) {
	list := make([]pinned, len(files))
	size := 0
	for i, f := range files {
		if !utf8.ValidString(f.Path) {
			return nil, fmt.Errorf("the name %q is not UTF-8", f.Path)
		}
		list[i] = pinned{Path: paths.key(f.Path), Mode: f.Mode, Size: -1, Sum: f.Sum}
		if f.Dir != "" {
			list[i].Dir = paths.key(f.Dir)
		}
		if f.Text != nil {
			list[i].Size = len(f.Text)
		}
		size += len(f.Text)
	}
	head, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(append(head, '\n'))
	b.Grow(size)
	for _, f := range files {
		b.Write(f.Text)
	}
	if b.Len() > maxPin {
		return nil, fmt.Errorf("the hook files are larger than %d MiB together", maxPin>>20)
	}
	return b.Bytes(), nil
}

// Pinned returns what is pinned of root, by path; none if nothing is, nor
// with an error.
func (t *Trust) Pinned(root string) ([]Pinned, error) {
	paths, pin := t.pin(root)
	if pin == "" {
		return nil, nil
	}
	file := filepath.Join(t.pins(), pin)
	data, err := readFile(file, maxPin)
	if sum := sha256.Sum256(data); err == nil && hex.EncodeToString(sum[:]) != pin {
		err = errors.New("it is not what was stored")
	}
	var files []Pinned
	if err == nil {
		files, err = decodePins(paths, data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: what is pinned of %s cannot be read: %w; nothing of the workspace is executed until pawl trust --pin", file, root, err)
	}
	return files, nil
}

// pin finds the pin of root.
func (t *Trust) pin(root string) (workspacePaths, string) {
	list := t.List()
	if !slices.ContainsFunc(list, func(d Trusted) bool { return d.Pin != "" }) {
		return workspacePaths{}, ""
	}
	real, err := realDir(root)
	if err != nil {
		return workspacePaths{}, ""
	}
	i := slices.IndexFunc(list, func(d Trusted) bool { return d.Path == real })
	if i < 0 {
		return workspacePaths{}, ""
	}
	return workspacePaths{root, real}, list[i].Pin
}

// IsPinned reports whether something is pinned of the directory root itself.
func (t *Trust) IsPinned(root string) bool {
	_, pin := t.pin(root)
	return pin != ""
}

func decodePins(paths workspacePaths, data []byte) ([]Pinned, error) {
	head, rest, _ := bytes.Cut(data, []byte{'\n'})
	var list []pinned
	if err := json.Unmarshal(head, &list); err != nil {
		return nil, err
	}
	files := make([]Pinned, len(list))
	for i, p := range list {
		if p.Size > len(rest) {
			return nil, errors.New("it ends too early")
		}
		files[i] = Pinned{Path: paths.path(p.Path), Stand: hook.Stand{Mode: p.Mode, Sum: p.Sum}}
		if p.Dir != "" {
			files[i].Dir = paths.path(p.Dir)
		}
		if p.Size >= 0 {
			files[i].Text, rest = rest[:p.Size:p.Size], rest[p.Size:]
		}
	}
	return files, nil
}

// workspacePaths turns paths into keys that do not depend on the way by which a
// workspace was reached.
type workspacePaths struct{ root, real string }

// key is the path relative to the workspace if it is in it.
func (w workspacePaths) key(path string) string {
	for _, dir := range []string{w.root, w.real} {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return filepath.Clean(path)
}

func (w workspacePaths) path(key string) string {
	if filepath.IsAbs(key) {
		return key
	}
	return filepath.Join(w.root, key)
}

// Pins returns what stands in for the files of the workspace root: all that
// is pinned, and no more; nil if nothing is pinned.
func (t *Trust) Pins(root string) (*hook.Overlay, error) {
	files, err := t.Pinned(root)
	if files == nil {
		return nil, err
	}
	paths, _ := t.pin(root)
	byKey := make(map[string]hook.Stand, len(files))
	below := map[string]map[string]bool{}
	for _, f := range files {
		key := paths.key(f.Path)
		byKey[key] = f.Stand
		if f.Text == nil && f.Sum == "" && !f.Mode.IsDir() {
			continue
		}
		for dir := filepath.Dir(key); ; key, dir = dir, filepath.Dir(dir) {
			if below[dir] == nil {
				below[dir] = map[string]bool{}
			}
			if below[dir][filepath.Base(key)] = true; dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return &hook.Overlay{
		File:  func(path string) (hook.Stand, bool) { s, ok := byKey[paths.key(path)]; return s, ok },
		Names: func(dir string) []string { return slices.Collect(maps.Keys(below[paths.key(dir)])) },
		Whole: true,
	}, nil
}
