package call

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	// backgroundMost is how many background hooks a user may have running.
	backgroundMost = 16
	slotFD         = 3 // of the child
	// closeWait is how long servers that the hook has started may take to end.
	closeWait = 5 * time.Second
)

// Detached starts background hooks in processes of their own: the caller ends
// as soon as it has answered. The child is this program as "hook --background
// KEY --root ROOT" with the event on its standard input, from a file that
// nobody else can open. An agent can make any number of events, so these
// processes are counted.
func (s Setting) Detached() engine.Option { return engine.WithDetach(s.detach) }

func (s Setting) detach(key string, ev hook.Event) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir := s.stateDir
	if dir != "" {
		dir = filepath.Join(dir, "background")
	}
	slot, err := takeSlot(dir)
	if err != nil {
		return err
	}
	defer slot.Close() // a nil file takes it
	in, err := UnnamedFile(ev.JSON())
	if err != nil {
		return err
	}
	defer in.Close()
	child := exec.Command(self, append([]string{"hook", "--background", key, "--root", s.Root}, s.args()...)...)
	child.Stdin, child.Env, child.SysProcAttr = in, ev.Env, ownSession()
	if slot != nil {
		child.ExtraFiles = []*os.File{slot}
	}
	if err := child.Start(); err != nil {
		return err
	}
	go child.Wait() // it ends when the hook has, at the latest after its timeout
	return nil
}

// args are the flags that s was made from.
func (s Setting) args() []string {
	var args []string
	for _, f := range s.Files() {
		args = append(args, "--config", f)
	}
	if s.claude {
		args = append(args, "--claude-settings")
	}
	return args
}

// UnnamedFile returns a file that holds data, is read from its start, and is
// gone when it is closed.
func UnnamedFile(data []byte) (*os.File, error) {
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

// RunBackground is what the child does: it runs the hook called key in the
// workspace root, for the event that it was given.
func RunBackground(ctx context.Context, p Place, policy Policy, root, key string, event []byte, extra ...engine.Option) error {
	keepSlot()
	m, err := ReadMessage(event, "pawl")
	if err != nil {
		return err
	}
	s, err := p.Setting(root, policy)
	if err != nil {
		return err
	}
	eng, err := s.Open(ctx, extra...)
	if err != nil {
		return fmt.Errorf("background hook %s: %w", key, err)
	}
	err = eng.RunDetached(ctx, key, m.Event)
	ctx, cancel := context.WithTimeout(ctx, closeWait)
	defer cancel()
	eng.Close(ctx) // what is stuck ends with the process
	return err
}
