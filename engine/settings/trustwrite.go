package settings

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// change reads the list, applies f and writes it, while no other process
// does. A list that cannot be read is left as it is.
func (t *Trust) change(f func([]string) []string) error {
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
	list = f(list)
	slices.Sort(list)
	if err := t.write(list); err != nil {
		return fmt.Errorf("trust: %w", err)
	}
	t.list = list
	return nil
}

// write replaces the file in one step.
func (t *Trust) write(list []string) (err error) {
	f := trustFile{Directories: make([]trustedDir, len(list))}
	for i, dir := range list {
		f.Directories[i].Path = dir
	}
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(t.dir, "trust-*") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name())
		}
	}()
	if _, err = tmp.Write(append(data, '\n')); err == nil {
		err = tmp.Sync()
	}
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), t.File())
}
