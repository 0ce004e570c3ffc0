package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// console is what the process gets from outside.
type console struct {
	in     io.Reader
	out    *bufio.Writer // flushed by finish
	err    io.Writer
	getenv func(string) string
	width  int // columns to fit texts in; 0: do not wrap
	paint  paint

	trustFault error // why the list of trusted directories cannot be read
}

func newConsole() *console {
	c := &console{
		in:     os.Stdin,
		out:    bufio.NewWriter(os.Stdout),
		err:    os.Stderr,
		getenv: os.Getenv,
	}
	return c
}

// look reads how to write for people: the width and whether in colour. The
// hook command never needs it.
func (c *console) look() {
	c.width = terminalWidth(os.Stdout)
	if n, err := strconv.Atoi(c.getenv("COLUMNS")); err == nil && n > 0 {
		c.width = n
	}
	if c.width > 0 {
		c.width = max(c.width, 40)
	}
	c.paint = paint(wantsColour(c.getenv, terminalWidth(os.Stdout) > 0))
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

func (c *console) printf(format string, args ...any) { fmt.Fprintf(c.out, format, args...) }

// flushed writes what is buffered and reports what could not be written.
func (c *console) flushed() error {
	if err := c.out.Flush(); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// home returns the home directory of the user, "" if there is none.
func (c *console) home() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return home
}

// workDir returns the current directory.
func workDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("the current directory cannot be told: %w", err)
	}
	return dir, nil
}

// maxEvent is the most that is read from standard input, in bytes.
const maxEvent = 64 << 20

var errTooLarge = errors.New("the event is larger than 64 MiB")

// readBounded reads r to its end, or to maxEvent.
func readBounded(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxEvent+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxEvent:
		return nil, errTooLarge
	}
	return data, nil
}
