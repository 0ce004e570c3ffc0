package main

import "strings"

func helpCommand() command {
	return command{
		name:  "help",
		args:  "[COMMAND]",
		about: "show this list, or how to call one command",
		run: func(c *console, args []string) error {
			if len(args) == 0 {
				writeOverview(c)
				return nil
			}
			for _, cmd := range commands() {
				if cmd.name == args[0] {
					cmd.writeHelp(c)
					return nil
				}
			}
			return unknownCommand(args[0])
		},
	}
}

const overview = `Pawl decides what an AI agent may do next.

Usage: pawl COMMAND [FLAG]… [ARGUMENT]…

`

const firstSteps = `
First steps:
  pawl demo                   watch a small policy decide
  pawl try 'rm -rf ~'         ask about a shell command
  pawl init --agent claude    start a policy in this project

Run "pawl COMMAND --help" for the flags of one command.
`

// writeOverview lists all subcommands.
func writeOverview(c *console) {
	c.look()
	c.out.WriteString(overview)
	rows := make([][2]string, 0, len(commands()))
	for _, cmd := range commands() {
		rows = append(rows, [2]string{cmd.name, cmd.about})
	}
	writeRows(c, rows)
	c.out.WriteString(firstSteps)
	c.out.Flush()
}

// writeHelp shows how to call cmd.
func (cmd *command) writeHelp(c *console) {
	c.look()
	usage := "Usage: pawl " + cmd.name
	if len(cmd.flags) > 0 {
		usage += " [FLAG]…"
	}
	c.printf("%s\n\n%s.\n", strings.TrimSpace(usage+" "+cmd.args), capital(cmd.about))
	if cmd.detail != "" {
		c.out.WriteString("\n")
		for _, line := range wrap(strings.TrimSpace(cmd.detail), c.width) {
			c.printf("%s\n", line)
		}
	}
	c.printf("\nFlags:\n")
	rows := make([][2]string, 0, len(cmd.flags)+1)
	for _, f := range cmd.flags {
		rows = append(rows, [2]string{strings.TrimSpace("--" + f.name + " " + f.value), f.about})
	}
	writeRows(c, append(rows, [2]string{"--help", "show this text"}))
}

// writeRows writes names and what they mean in two columns.
func writeRows(c *console, rows [][2]string) {
	left := 0
	for _, r := range rows {
		left = max(left, columns(r[0]))
	}
	room := c.width
	if room > 0 {
		room = max(room-left-4, 20)
	}
	for _, r := range rows {
		for i, line := range wrap(r[1], room) {
			name := r[0]
			if i > 0 {
				name = ""
			}
			c.printf("  %s  %s\n", c.paint.bold(pad(name, left)), line)
		}
	}
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
