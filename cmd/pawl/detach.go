package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	// backgroundMost is how many background hooks a user may have running.
	backgroundMost = 16
	slotFD         = 3 // of the child
)

// detach starts a background hook in a process of its own: this one ends as
// soon as it has answered. The child is "pawl hook --background KEY" with the
// event on its standard input, from a file that nobody else can open. An
// agent can make any number of events, so these processes are counted.
func (h *hookCall) detach(c *console, key string, ev hook.Event) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir := c.stateDir()
	if dir != "" {
		dir = filepath.Join(dir, "background")
	}
	slot, err := takeSlot(dir)
	if err != nil {
		return err
	}
	defer slot.Close() // a nil file takes it
	in, err := unnamedFile(ev.JSON())
	if err != nil {
		return err
	}
	defer in.Close()
	child := exec.Command(self, append([]string{"hook", "--background", key}, h.policy.args()...)...)
	child.Stdin = in
	child.SysProcAttr = ownSession()
	if slot != nil {
		child.ExtraFiles = []*os.File{slot}
	}
	if err := child.Start(); err != nil {
		return err
	}
	return child.Process.Release()
}

// unnamedFile returns a file that holds data, is read from its start, and is
// gone when it is closed.
func unnamedFile(data []byte) (*os.File, error) {
	f, err := os.CreateTemp("", "pawl-event-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	if _, err = f.Write(data); err == nil {
		_, err = f.Seek(0, 0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// runBackground is what the child does.
func (h *hookCall) runBackground(c *console) error {
	keepSlot()
	m, err := readMessage(c.in, "pawl")
	if err != nil {
		return err
	}
	ctx, done := interruptible(context.Background())
	defer done()
	eng, err := h.policy.open(ctx, c, c.projectRoot(m.event.Dir))
	if err != nil {
		return fmt.Errorf("background hook %s: %w", h.background, err)
	}
	return eng.RunDetached(ctx, h.background, m.event)
}
