package main

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
)

const completionDetail = `Prints a script that completes the commands and flags of pawl.

  bash   source <(pawl completion bash)                        in ~/.bashrc
  zsh    source <(pawl completion zsh)                         in ~/.zshrc, after compinit
  fish   pawl completion fish > ~/.config/fish/completions/pawl.fish`

func completionCommand() command {
	return command{
		name:   "completion",
		args:   "bash|zsh|fish",
		about:  "print a completion script for a shell",
		detail: completionDetail,
		run: func(c *console, args []string) error {
			if len(args) != 1 {
				return usagef("name one shell: bash, zsh or fish")
			}
			script, ok := map[string]func([]command) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[args[0]]
			if !ok {
				return &usageError{fmt.Sprintf("no completion for %q", args[0]), "known: bash, zsh, fish"}
			}
			c.out.WriteString(script(commands()))
			return nil
		},
	}
}

// words returns what the first argument of cmd may be; nil where it is a
// file, or a text of the user's own.
func (cmd *command) words() []string {
	switch cmd.name {
	case "help":
		var names []string
		for _, other := range commands() {
			names = append(names, other.name)
		}
		return names
	case "completion":
		return []string{"bash", "zsh", "fish"}
	}
	return nil
}

// files reports whether the arguments of cmd are names of files.
func (cmd *command) files() bool {
	return strings.Contains(cmd.args, "DIR") || strings.Contains(cmd.args, "PATH") || strings.Contains(cmd.args, "FILE")
}

// words returns what the value of a flag may be, and whether it is a file.
func (f flag) words(cmd string) (words []string, file bool) {
	switch {
	case f.name == "agent" && cmd == "init":
		return []string{"claude"}, false
	case f.name == "agent":
		for _, d := range dialect.All() {
			words = append(words, d.Name)
		}
		return words, false
	case f.name == "tool":
		return hook.ToolNames(), false
	}
	return nil, f.value == "FILE" || f.value == "DIR"
}

// flagNames are the flags of cmd as they are typed.
func (cmd *command) flagNames() []string {
	names := make([]string, 0, len(cmd.flags)+1)
	for _, f := range cmd.flags {
		names = append(names, "--"+f.name)
	}
	return append(names, "--help")
}

// bashCompletion: a case for each command and for each flag with a value.
func bashCompletion(all []command) string {
	var b, values, rest strings.Builder
	var names []string
	for _, cmd := range all {
		names = append(names, cmd.name)
		for _, f := range cmd.flags {
			if f.value == "" {
				continue
			}
			words, file := f.words(cmd.name)
			fmt.Fprintf(&values, "    %s:--%s) %s ;;\n", cmd.name, f.name, bashReply(words, file))
		}
		fmt.Fprintf(&rest, "    %s) flags=%q; %s ;;\n", cmd.name, strings.Join(cmd.flagNames(), " "), bashReply(cmd.words(), cmd.files()))
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
func zshCompletion(all []command) string {
	var b strings.Builder
	b.WriteString("#compdef pawl\n# zsh completion of pawl; written by \"pawl completion zsh\"\n_pawl() {\n  local -a commands\n  commands=(\n")
	for _, cmd := range all {
		fmt.Fprintf(&b, "    %s\n", shellQuote(cmd.name+":"+cmd.about))
	}
	b.WriteString("  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n")
	for _, cmd := range all {
		fmt.Fprintf(&b, "    %s) _arguments", cmd.name)
		for _, f := range cmd.flags {
			spec := "*--" + f.name + zshAbout(f.about)
			if f.value != "" {
				words, file := f.words(cmd.name)
				spec = "*--" + f.name + "=" + zshAbout(f.about) + ":" + f.value + ":" + zshAction(words, file)
			}
			b.WriteString(" \\\n      " + shellQuote(spec))
		}
		b.WriteString(" \\\n      '--help[show this text]'")
		if cmd.args != "" {
			b.WriteString(" \\\n      " + shellQuote("*:argument:"+zshAction(cmd.words(), cmd.files())))
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
func fishCompletion(all []command) string {
	var b strings.Builder
	b.WriteString("# fish completion of pawl; written by \"pawl completion fish\"\ncomplete -c pawl -f\n")
	for _, cmd := range all {
		fmt.Fprintf(&b, "complete -c pawl -n __fish_use_subcommand -a %s -d %s\n", cmd.name, fishQuote(cmd.about))
	}
	for _, cmd := range all {
		seen := "complete -c pawl -n " + fishQuote("__fish_seen_subcommand_from "+cmd.name)
		switch words := cmd.words(); {
		case len(words) > 0:
			fmt.Fprintf(&b, "%s -a %s\n", seen, fishQuote(strings.Join(words, " ")))
		case cmd.files():
			fmt.Fprintf(&b, "%s -F\n", seen)
		}
		for _, f := range cmd.flags {
			line := seen + " -l " + f.name
			if f.value != "" {
				words, file := f.words(cmd.name)
				line += " -r"
				if len(words) > 0 {
					line += " -f -a " + fishQuote(strings.Join(words, " "))
				} else if file {
					line += " -F"
				}
			}
			fmt.Fprintf(&b, "%s -d %s\n", line, fishQuote(f.about))
		}
		fmt.Fprintf(&b, "%s -l help -d 'show this text'\n", seen)
	}
	return b.String()
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
