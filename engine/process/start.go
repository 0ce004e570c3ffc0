package process

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/pawl-dev/pawl/engine/hook"
)

// leader is the process that was started, with our ends of its pipes.
type leader struct {
	cmd                   *exec.Cmd
	tether                tether
	stdin, stdout, stderr *os.File
	exited                chan struct{} // closed when it has ended, unreaped
	// early is its status where the system has no wait that does not reap. Set
	// before exited is closed.
	early *os.ProcessState
}

// start makes the pipes and the process. Whatever fails, nothing stays open.
func start(c Command) (*leader, error) {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return nil, hook.Fail(hook.CauseSpawn, "no program to run")
	}
	if c.Env == nil {
		c.Env = Environ(os.Environ(), nil)
	}
	pipes, err := openPipes()
	if err != nil {
		return nil, hook.Fail(hook.CauseSpawn, "%w", err)
	}
	cmd := &exec.Cmd{Args: c.Argv, Dir: c.Dir, Env: c.Env, SysProcAttr: attributes()}
	cmd.Path, cmd.Err = Look(c.Argv[0], c.Env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes[0].r, pipes[1].w, pipes[2].w
	tie := newTether(cmd)
	seal()
	err = cmd.Start()
	pipes[0].r.Close()
	pipes[1].w.Close()
	pipes[2].w.Close()
	if err != nil {
		tie.cut()
		pipes[0].w.Close()
		pipes[1].r.Close()
		pipes[2].r.Close()
		return nil, explain(c, cmd.Path, err)
	}
	tie.tie(cmd.Process.Pid)
	p := &leader{cmd: cmd, tether: tie, stdin: pipes[0].w, stdout: pipes[1].r, stderr: pipes[2].r, exited: make(chan struct{})}
	go func() {
		p.early = awaitExit(cmd.Process)
		close(p.exited)
	}()
	return p, nil
}

// reap takes the leader's status. It must come after the last killGroup. A
// leader that is still dying is reaped in the background when it is dead.
func (p *leader) reap() (*os.ProcessState, error) {
	switch {
	case !ready(p.exited):
	case p.early != nil:
		return p.early, nil
	default:
		return p.cmd.Process.Wait()
	}
	go func() {
		<-p.exited
		p.cmd.Process.Wait() // nobody asks any more
	}()
	return nil, errors.New("it does not end although it was killed")
}

type pipe struct{ r, w *os.File }

func openPipes() (pipes [3]pipe, err error) {
	for i := range pipes {
		if pipes[i].r, pipes[i].w, err = os.Pipe(); err != nil {
			for _, p := range pipes[:i] {
				p.r.Close()
				p.w.Close()
			}
			return pipes, err
		}
	}
	return pipes, nil
}

// explain turns the system's error into what the author of a hook can mend:
// the system says the same for a missing program, directory or interpreter.
func explain(c Command, path string, err error) error {
	fail := func(text string, args ...any) error {
		return hook.Fail(hook.CauseSpawn, text, append(args, err)...)
	}
	if c.Dir != "" {
		if info, statErr := os.Stat(c.Dir); statErr != nil || !info.IsDir() {
			return fail("the working directory %s is not there: %w", c.Dir)
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.Dir, path)
		}
	}
	_, statErr := os.Stat(path)
	switch {
	case errors.Is(err, syscall.E2BIG):
		return fail("arguments and environment are too large for this system (%d bytes): %w", size(c))
	case errors.Is(err, fs.ErrNotExist) && statErr == nil:
		return fail("%s is there, but the interpreter on its #! line is not: %w", path)
	case errors.Is(err, fs.ErrNotExist):
		return fail("%s is not there: %w", path)
	case errors.Is(err, fs.ErrPermission):
		return fail("%s may not be executed (chmod +x?): %w", path)
	case errors.Is(err, syscall.ENOEXEC):
		return fail("%s is not a program (a script needs a #! line): %w", path)
	}
	return fail("%w")
}

func size(c Command) (n int) {
	for _, list := range [][]string{c.Argv, c.Env} {
		for _, s := range list {
			n += len(s) + 1
		}
	}
	return n
}
