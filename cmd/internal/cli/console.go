package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// Console is what the process gets from outside.
type Console struct {
	In     io.Reader
	Out    *bufio.Writer // flushed when the command has run
	Err    io.Writer
	Getenv func(string) string
	Width  int // columns to fit texts in; 0: do not wrap
	Paint  Paint
}

// NewConsole returns that of this process.
func NewConsole() *Console {
	return &Console{
		In:     os.Stdin,
		Out:    bufio.NewWriter(os.Stdout),
		Err:    os.Stderr,
		Getenv: os.Getenv,
	}
}

// Look reads how to write for people: the width and whether in colour. The
// hook command never needs it.
func (c *Console) Look() {
	c.Width = TerminalWidth(os.Stdout)
	if n, err := strconv.Atoi(c.Getenv("COLUMNS")); err == nil && n > 0 {
		c.Width = n
	}
	if c.Width > 0 {
		c.Width = max(c.Width, 40)
	}
	c.Paint = Paint(wantsColour(c.Getenv, TerminalWidth(os.Stdout) > 0))
}

// wantsColour follows no-color.org and force-color.org; 0 or false in
// FORCE_COLOR means no. Who has set both does not want colour for certain, so
// NO_COLOR wins.
func wantsColour(getenv func(string) string, terminal bool) bool {
	switch force := getenv("FORCE_COLOR"); {
	case getenv("NO_COLOR") != "":
		return false
	case force == "0" || force == "false":
		return false
	case force != "":
		return true
	}
	return terminal && getenv("TERM") != "dumb"
}

// Waiting tells a person at a terminal that an event is read from r.
func (c *Console) Waiting(r io.Reader) {
	if f, ok := r.(*os.File); ok && TerminalWidth(f) > 0 {
		fmt.Fprintln(c.Err, "pawl: reading an event; end it with Ctrl-D")
	}
}

// Printf writes to standard output.
func (c *Console) Printf(format string, args ...any) { fmt.Fprintf(c.Out, format, args...) }

// Flushed writes what is buffered and reports what could not be written.
func (c *Console) Flushed() error {
	if err := c.Out.Flush(); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// WorkDir returns the current directory.
func WorkDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("the current directory cannot be told: %w", err)
	}
	return dir, nil
}

// OneDir returns the directory that args name, absolute; the current one if
// they are empty.
func OneDir(args []string) (string, error) {
	if len(args) > 1 {
		return "", Usagef("expected one directory, got %d arguments", len(args))
	}
	dir, err := WorkDir()
	if err != nil {
		return "", err
	}
	if len(args) == 1 {
		if dir, err = filepath.Abs(args[0]); err != nil {
			return "", err
		}
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s: not a directory", dir)
	}
	return dir, err
}
