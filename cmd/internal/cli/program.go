package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Program is a program with subcommands.
type Program struct {
	Name     string
	About    string // what it does, one line
	First    string // paragraph after the list of commands, may be ""
	Commands []Command
}

// Command is one subcommand.
type Command struct {
	Name   string
	Args   string // of the usage line: "[FILE]"
	About  string // one line, for the list
	Detail string // paragraphs of its own help, may be ""
	Flags  []Flag
	// Run gets what is not a flag. An ExitCode ends the process with it and
	// no message, a UsageError with 2, any other error with 1.
	Run func(c *Console, args []string) error
}

// ExitCode is an outcome that has been told already.
type ExitCode int

func (e ExitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// ExitIf is the ExitCode code, or nil for 0.
func ExitIf(code int) error {
	if code == 0 {
		return nil
	}
	return ExitCode(code)
}

// UsageError is a command line that cannot be understood.
type UsageError struct{ Message, Advice string }

func (u *UsageError) Error() string {
	if u.Advice == "" {
		return u.Message
	}
	return u.Message + " (" + u.Advice + ")"
}

// Usagef returns a UsageError without advice.
func Usagef(format string, args ...any) *UsageError {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// NoArgs refuses arguments where a command takes none.
func NoArgs(args []string) error {
	if len(args) > 0 {
		return Usagef("unexpected argument %q", args[0])
	}
	return nil
}

// All returns the commands and, as the last, help.
func (p *Program) All() []Command { return append(slices.Clip(p.Commands), p.help()) }

// Run runs the subcommand that args name and returns the exit code.
func (p *Program) Run(c *Console, args []string) int {
	if len(args) == 0 {
		p.overview(c)
		return 2
	}
	switch args[0] {
	case "-h", "-help", "--help":
		args = []string{"help"}
	case "-v", "-version", "--version":
		args = []string{"version"}
	}
	for _, cmd := range p.All() {
		if cmd.Name == args[0] {
			return c.finish(p.Name+" "+cmd.Name, p.start(&cmd, c, args[1:]))
		}
	}
	return c.finish(p.Name, p.unknown(args[0]))
}

func (p *Program) unknown(name string) error {
	if strings.HasPrefix(name, "-") {
		return Usagef("%s: flags come after the command", name)
	}
	u := Usagef("unknown command %q", name)
	var names []string
	for _, cmd := range p.All() {
		names = append(names, cmd.Name)
	}
	u.Advice = hook.DidYouMean(name, names)
	return u
}

// start parses args and runs cmd, or shows its help.
func (p *Program) start(cmd *Command, c *Console, args []string) error {
	rest, err := parseFlags(cmd.Flags, args)
	switch {
	case errors.Is(err, errHelp):
		p.describe(c, cmd)
		return nil
	case err != nil:
		return err
	}
	return cmd.Run(c, rest)
}

// finish writes what is buffered, tells err and returns the exit code that
// goes with it.
func (c *Console) finish(prefix string, err error) int {
	lost := c.Flushed()
	if lost != nil {
		fmt.Fprintf(c.Err, "%s: %v\n", prefix, lost)
	}
	if code, ok := errors.AsType[ExitCode](err); ok {
		return int(code)
	}
	if err == nil {
		if lost != nil {
			return 1
		}
		return 0
	}
	fmt.Fprintf(c.Err, "%s: %s\n", prefix, EscapeLines(err.Error()))
	if _, ok := errors.AsType[*UsageError](err); ok {
		fmt.Fprintf(c.Err, "Run %q for the ways to call it.\n", prefix+" --help")
		return 2
	}
	return 1
}
