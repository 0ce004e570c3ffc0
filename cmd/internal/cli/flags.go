package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Flag is one --name of a subcommand, or -n if the name is one letter.
type Flag struct {
	Name  string
	Value string // what stands for the value in help: "FILE"; "" for a switch
	About string
	Set   func(value string) error // "" for a switch
}

// Spelling is the flag as it is written.
func (f *Flag) Spelling() string {
	if len(f.Name) == 1 {
		return "-" + f.Name
	}
	return "--" + f.Name
}

// errHelp is the outcome of parsing --help.
var errHelp = errors.New("help asked for")

// parseFlags sets the flags it finds anywhere in args and returns the rest.
// After "--" nothing is a flag; "-" alone is an argument.
func parseFlags(flags []Flag, args []string) (rest []string, err error) {
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
func setFlag(flags []Flag, arg string, args []string) ([]string, error) {
	name, value, inline := strings.Cut(arg, "=")
	f := findFlag(flags, name)
	switch {
	case f == nil:
		return nil, unknownFlag(flags, name)
	case f.Value == "" && inline:
		return nil, Usagef("%s takes no value", name)
	case f.Value != "" && !inline:
		if len(args) == 0 {
			return nil, Usagef("%s needs a value: %s %s", name, name, f.Value)
		}
		value, args = args[0], args[1:]
	}
	if err := f.Set(value); err != nil {
		return nil, Usagef("%s: %v", name, err)
	}
	return args, nil
}

func findFlag(flags []Flag, arg string) *Flag {
	for i := range flags {
		if flags[i].Spelling() == arg {
			return &flags[i]
		}
	}
	return nil
}

func unknownFlag(flags []Flag, arg string) error {
	names := []string{"--help"}
	for _, f := range flags {
		names = append(names, f.Spelling())
	}
	u := Usagef("unknown flag %s", arg)
	u.Advice = hook.DidYouMean(arg, names)
	if u.Advice == "" {
		u.Advice = `put "--" before an argument that starts with "-"`
	}
	return u
}

// Switch is a flag without a value: it sets p.
func Switch(p *bool, name, about string) Flag {
	return Flag{Name: name, About: about, Set: func(string) error { *p = true; return nil }}
}

// Text is a flag that sets p to its value.
func Text(p *string, name, value, about string) Flag {
	return Flag{Name: name, Value: value, About: about, Set: func(s string) error { *p = s; return nil }}
}

// List is a flag that may be given again: each value goes to the end of p.
func List(p *[]string, name, value, about string) Flag {
	return Flag{Name: name, Value: value, About: about, Set: func(s string) error {
		if s == "" {
			return errors.New("empty")
		}
		*p = append(*p, s)
		return nil
	}}
}

// Duration is a flag that sets p to a time above 0.
func Duration(p *time.Duration, name, about string) Flag {
	return Flag{Name: name, Value: "TIME", About: about, Set: func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return fmt.Errorf("expected a time such as 50s or 1500ms, got %q", s)
		}
		*p = d
		return nil
	}}
}
