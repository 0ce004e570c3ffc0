package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// flag is one --name of a subcommand.
type flag struct {
	name  string
	value string // what stands for the value in help: "FILE"; "" for a switch
	about string
	set   func(value string) error // "" for a switch
}

// errHelp is the outcome of parsing --help.
var errHelp = errors.New("help asked for")

// parseFlags sets the flags it finds anywhere in args and returns the rest.
// After "--" nothing is a flag; "-" alone is an argument.
func parseFlags(flags []flag, args []string) (rest []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			return append(rest, args...), nil
		case arg == "-h" || arg == "--help" || arg == "-help":
			return nil, errHelp
		case len(arg) < 2 || arg[0] != '-':
			rest = append(rest, arg)
		default:
			if args, err = setFlag(flags, arg, args); err != nil {
				return nil, err
			}
		}
	}
	return rest, nil
}

// setFlag sets the flag that arg names, and takes its value from args if
// arg does not hold it.
func setFlag(flags []flag, arg string, args []string) ([]string, error) {
	name, value, inline := strings.Cut(arg, "=")
	f := findFlag(flags, name)
	switch {
	case f == nil:
		return nil, unknownFlag(flags, name)
	case f.value == "" && inline:
		return nil, usagef("%s takes no value", name)
	case f.value != "" && !inline:
		if len(args) == 0 {
			return nil, usagef("%s needs a value: %s %s", name, name, f.value)
		}
		value, args = args[0], args[1:]
	}
	if err := f.set(value); err != nil {
		return nil, usagef("%s: %v", name, err)
	}
	return args, nil
}

func findFlag(flags []flag, arg string) *flag {
	for i := range flags {
		if "--"+flags[i].name == arg {
			return &flags[i]
		}
	}
	return nil
}

func unknownFlag(flags []flag, arg string) error {
	names := []string{"--help"}
	for _, f := range flags {
		names = append(names, "--"+f.name)
	}
	u := usagef("unknown flag %s", arg)
	u.advice = hook.DidYouMean(arg, names)
	if u.advice == "" {
		u.advice = `put "--" before an argument that starts with "-"`
	}
	return u
}

func switchFlag(p *bool, name, about string) flag {
	return flag{name: name, about: about, set: func(string) error { *p = true; return nil }}
}

func textFlag(p *string, name, value, about string) flag {
	return flag{name: name, value: value, about: about, set: func(s string) error { *p = s; return nil }}
}

func listFlag(p *[]string, name, value, about string) flag {
	return flag{name: name, value: value, about: about, set: func(s string) error {
		if s == "" {
			return errors.New("empty")
		}
		*p = append(*p, s)
		return nil
	}}
}

func durationFlag(p *time.Duration, name, about string) flag {
	return flag{name: name, value: "TIME", about: about, set: func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return fmt.Errorf("expected a time such as 50s or 1500ms, got %q", s)
		}
		*p = d
		return nil
	}}
}
