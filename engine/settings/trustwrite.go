package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// change reads the list, applies f and writes it, while no other process
// does. A list that cannot be read is left as it is.
func (t *Trust) change(f func([]Trusted) ([]Trusted, error)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return fmt.Errorf("trust: %w", err)
	}
	unlock, err := lockFile(filepath.Join(t.dir, "trust.lock"))
	if err != nil {
		return fmt.Errorf("trust: %w", err)
	}
	defer unlock()
	list, err := t.read()
	if err != nil {
		t.list = nil
		return err
	}
	if list, err = f(list); err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b Trusted) int { return strings.Compare(a.Path, b.Path) })
	data, err := json.MarshalIndent(struct {
		Directories []Trusted `json:"directories"`
	}{append([]Trusted{}, list...)}, "", "  ")
	if err == nil {
		err = replace(t.File(), append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("trust: %w", err)
	}
	t.list = list
	t.sweepPins()
	return nil
}

// replace writes a file (0600) in one step.
func replace(path string, data []byte) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), "new-*") // 0600
	if err != nil {
		return err
	}
	if _, err = tmp.Write(data); err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}
