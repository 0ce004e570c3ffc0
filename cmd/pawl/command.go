package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// command is one subcommand.
type command struct {
	name   string
	args   string // of the usage line: "[FILE]"
	about  string // one line, for the list
	detail string // paragraphs of its own help, may be ""
	flags  []flag
	// run gets what is not a flag. An exitCode ends the process with it and
	// no message, a usageError with 2, any other error with 1.
	run func(c *console, args []string) error
}

// exitCode is an outcome that has been told already.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is a command line that cannot be understood.
type usageError struct{ message, advice string }

func (u *usageError) Error() string {
	if u.advice == "" {
		return u.message
	}
	return u.message + " (" + u.advice + ")"
}

func usagef(format string, args ...any) *usageError {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

// run runs the subcommand that args name and returns the exit code.
func run(c *console, args []string) int {
	if len(args) == 0 {
		writeOverview(c)
		return 2
	}
	switch args[0] {
	case "-h", "-help", "--help":
		args = []string{"help"}
	case "-v", "-version", "--version":
		args = []string{"version"}
	}
	for _, cmd := range commands() {
		if cmd.name == args[0] {
			return c.finish(cmd.name, cmd.start(c, args[1:]))
		}
	}
	return c.finish("", unknownCommand(args[0]))
}

func unknownCommand(name string) error {
	if strings.HasPrefix(name, "-") {
		return usagef("%s: flags come after the command", name)
	}
	u := usagef("unknown command %q", name)
	var names []string
	for _, cmd := range commands() {
		names = append(names, cmd.name)
	}
	u.advice = hook.DidYouMean(name, names)
	return u
}

// start parses args and runs cmd, or shows its help.
func (cmd *command) start(c *console, args []string) error {
	rest, err := parseFlags(cmd.flags, args)
	switch {
	case errors.Is(err, errHelp):
		cmd.writeHelp(c)
		return nil
	case err != nil:
		return err
	}
	return cmd.run(c, rest)
}

// finish writes what is buffered, tells err and returns the exit code that
// goes with it.
func (c *console) finish(name string, err error) int {
	prefix := strings.TrimSpace("pawl " + name)
	lost := c.flushed()
	if lost != nil {
		fmt.Fprintf(c.err, "%s: %v\n", prefix, lost)
	}
	if code, ok := errors.AsType[exitCode](err); ok {
		return int(code)
	}
	if err == nil {
		if lost != nil {
			return 1
		}
		return 0
	}
	fmt.Fprintf(c.err, "%s: %s\n", prefix, escapeLines(err.Error()))
	if _, ok := errors.AsType[*usageError](err); ok {
		fmt.Fprintf(c.err, "Run %q for the ways to call it.\n", prefix+" --help")
		return 2
	}
	return 1
}

// noArgs refuses arguments where a command takes none.
func noArgs(args []string) error {
	if len(args) > 0 {
		return usagef("unexpected argument %q", args[0])
	}
	return nil
}
