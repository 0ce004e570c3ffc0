package main

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
)

const completionDetail = `Prints a script that completes the commands and flags of pawl.

  bash   source <(pawl completion bash)                        in ~/.bashrc
  zsh    source <(pawl completion zsh)                         in ~/.zshrc, after compinit
  fish   pawl completion fish > ~/.config/fish/completions/pawl.fish`

func completionCommand() cli.Command {
	return cli.Command{
		Name:   "completion",
		Args:   "bash|zsh|fish",
		About:  "print a completion script for a shell",
		Detail: completionDetail,
		Run: func(c *cli.Console, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("name one shell: bash, zsh or fish")
			}
			script, ok := map[string]func([]cli.Command) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[args[0]]
			if !ok {
				return &cli.UsageError{Message: fmt.Sprintf("no completion for %q", args[0]), Advice: "known: bash, zsh, fish"}
			}
			c.Out.WriteString(script(program().All()))
			return nil
		},
	}
}

// argWords returns what the first argument of cmd may be; nil where it is a
// file, or a text of the user's own.
func argWords(cmd cli.Command) []string {
	switch cmd.Name {
	case "help":
		var names []string
		for _, other := range program().All() {
			names = append(names, other.Name)
		}
		return names
	case "completion":
		return []string{"bash", "zsh", "fish"}
	}
	return nil
}

// takesFiles reports whether the arguments of cmd are names of files.
func takesFiles(cmd cli.Command) bool {
	return strings.Contains(cmd.Args, "DIR") || strings.Contains(cmd.Args, "PATH") || strings.Contains(cmd.Args, "FILE")
}

// flagWords returns what the value of a flag may be, and whether it is a file.
func flagWords(f cli.Flag, cmd string) (words []string, file bool) {
	switch {
	case f.Name == "agent" && cmd == "init":
		return []string{"claude"}, false
	case f.Name == "agent":
		for _, d := range dialect.All() {
			words = append(words, d.Name)
		}
		return words, false
	case f.Name == "tool":
		return hook.ToolNames(), false
	}
	return nil, f.Value == "FILE" || f.Value == "DIR"
}

// flagNames are the flags of cmd as they are typed.
func flagNames(cmd cli.Command) []string {
	names := make([]string, 0, len(cmd.Flags)+1)
	for _, f := range cmd.Flags {
		names = append(names, f.Spelling())
	}
	return append(names, "--help")
}

// bashCompletion: a case for each command and for each flag with a value.
func bashCompletion(all []cli.Command) string {
	var b, values, rest strings.Builder
	var names []string
	for _, cmd := range all {
		names = append(names, cmd.Name)
		for _, f := range cmd.Flags {
			if f.Value == "" {
				continue
			}
			words, file := flagWords(f, cmd.Name)
			fmt.Fprintf(&values, "    %s:--%s) %s ;;\n", cmd.Name, f.Name, bashReply(words, file))
		}
		fmt.Fprintf(&rest, "    %s) flags=%q; %s ;;\n", cmd.Name, strings.Join(flagNames(cmd), " "), bashReply(argWords(cmd), takesFiles(cmd)))
	}
	fmt.Fprintf(&b, `# bash completion of pawl; written by "pawl completion bash"
_pawl_files() { local IFS=$'\n'; COMPREPLY=($(compgen -f -- "$cur")); }
_pawl() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} flags
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W %q -- "$cur"))
    return
  fi
  if [ "$cur" = = ]; then cur=; elif [ "$prev" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  case $command:$prev in
%s    *) false ;;
  esac && return
  case $command in
%s  esac
  case $cur in -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;; esac
}
complete -o filenames -F _pawl pawl
`, strings.Join(names, " "), values.String(), rest.String())
	return b.String()
}

// bashReply is the command that offers words or files; true if neither.
func bashReply(words []string, file bool) string {
	switch {
	case file:
		return "_pawl_files; true"
	case len(words) > 0:
		return fmt.Sprintf(`COMPREPLY=($(compgen -W %q -- "$cur")); true`, strings.Join(words, " "))
	}
	return "true"
}

// zshCompletion: _arguments with what each flag is for.
func zshCompletion(all []cli.Command) string {
	var b strings.Builder
	b.WriteString("#compdef pawl\n# zsh completion of pawl; written by \"pawl completion zsh\"\n_pawl() {\n  local -a commands\n  commands=(\n")
	for _, cmd := range all {
		fmt.Fprintf(&b, "    %s\n", cli.QuoteShell(cmd.Name+":"+cmd.About))
	}
	b.WriteString("  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n")
	for _, cmd := range all {
		fmt.Fprintf(&b, "    %s) _arguments", cmd.Name)
		for _, f := range cmd.Flags {
			spec := "*--" + f.Name + zshAbout(f.About)
			if f.Value != "" {
				words, file := flagWords(f, cmd.Name)
				spec = "*--" + f.Name + "=" + zshAbout(f.About) + ":" + f.Value + ":" + zshAction(words, file)
			}
			b.WriteString(" \\\n      " + cli.QuoteShell(spec))
		}
		b.WriteString(" \\\n      '--help[show this text]'")
		if cmd.Args != "" {
			b.WriteString(" \\\n      " + cli.QuoteShell("*:argument:"+zshAction(argWords(cmd), takesFiles(cmd))))
		}
		b.WriteString(" ;;\n")
	}
	b.WriteString("  esac\n}\nif [ \"$funcstack[1]\" = _pawl ]; then _pawl \"$@\"; else compdef _pawl pawl; fi\n")
	return b.String()
}

func zshAbout(text string) string {
	return "[" + strings.NewReplacer("[", "(", "]", ")", ":", `\:`).Replace(text) + "]"
}

func zshAction(words []string, file bool) string {
	switch {
	case file:
		return "_files"
	case len(words) > 0:
		return "(" + strings.Join(words, " ") + ")"
	}
	return " "
}

// fishCompletion: a line for each command and each flag.
func fishCompletion(all []cli.Command) string {
	var b strings.Builder
	b.WriteString("# fish completion of pawl; written by \"pawl completion fish\"\ncomplete -c pawl -f\n")
	for _, cmd := range all {
		fmt.Fprintf(&b, "complete -c pawl -n __fish_use_subcommand -a %s -d %s\n", cmd.Name, fishQuote(cmd.About))
	}
	for _, cmd := range all {
		seen := "complete -c pawl -n " + fishQuote("__fish_seen_subcommand_from "+cmd.Name)
		switch words := argWords(cmd); {
		case len(words) > 0:
			fmt.Fprintf(&b, "%s -a %s\n", seen, fishQuote(strings.Join(words, " ")))
		case takesFiles(cmd):
			fmt.Fprintf(&b, "%s -F\n", seen)
		}
		for _, f := range cmd.Flags {
			line := seen + " -l " + f.Name
			if f.Value != "" {
				words, file := flagWords(f, cmd.Name)
				line += " -r"
				if len(words) > 0 {
					line += " -f -a " + fishQuote(strings.Join(words, " "))
				} else if file {
					line += " -F"
				}
			}
			fmt.Fprintf(&b, "%s -d %s\n", line, fishQuote(f.About))
		}
		fmt.Fprintf(&b, "%s -l help -d 'show this text'\n", seen)
	}
	return b.String()
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
