package cli

import "strings"

func (p *Program) help() Command {
	return Command{
		Name:  "help",
		Args:  "[COMMAND]",
		About: "show this list, or how to call one command",
		Run: func(c *Console, args []string) error {
			if len(args) == 0 {
				p.overview(c)
				return nil
			}
			for _, cmd := range p.All() {
				if cmd.Name == args[0] {
					p.describe(c, &cmd)
					return nil
				}
			}
			return p.unknown(args[0])
		},
	}
}

// overview lists all subcommands.
func (p *Program) overview(c *Console) {
	c.Look()
	c.Printf("%s\n\nUsage: %s COMMAND [FLAG]… [ARGUMENT]…\n\n", p.About, p.Name)
	var rows [][2]string
	for _, cmd := range p.All() {
		rows = append(rows, [2]string{cmd.Name, cmd.About})
	}
	c.Rows(rows)
	if p.First != "" {
		c.Printf("\n%s\n", p.First)
	}
	c.Printf("\nRun \"%s COMMAND --help\" for the flags of one command.\n", p.Name)
	c.Out.Flush()
}

// describe shows how to call cmd.
func (p *Program) describe(c *Console, cmd *Command) {
	c.Look()
	usage := "Usage: " + p.Name + " " + cmd.Name
	if len(cmd.Flags) > 0 {
		usage += " [FLAG]…"
	}
	c.Printf("%s\n\n%s.\n", strings.TrimSpace(usage+" "+cmd.Args), strings.ToUpper(cmd.About[:1])+cmd.About[1:])
	if cmd.Detail != "" {
		c.Out.WriteString("\n")
		for _, line := range Wrap(strings.TrimSpace(cmd.Detail), c.Width) {
			c.Printf("%s\n", line)
		}
	}
	c.Printf("\nFlags:\n")
	rows := make([][2]string, 0, len(cmd.Flags)+1)
	for _, f := range cmd.Flags {
		rows = append(rows, [2]string{strings.TrimSpace(f.Spelling() + " " + f.Value), f.About})
	}
	c.Rows(append(rows, [2]string{"--help", "show this text"}))
}

// Rows writes names and what they mean in two columns.
func (c *Console) Rows(rows [][2]string) {
	left := 0
	for _, r := range rows {
		left = max(left, Columns(r[0]))
	}
	room := c.Width
	if room > 0 {
		room = max(room-left-4, 20)
	}
	for _, r := range rows {
		for i, line := range Wrap(r[1], room) {
			name := r[0]
			if i > 0 {
				name = ""
			}
			c.Printf("  %s  %s\n", c.Paint.Bold(Pad(name, left)), line)
		}
	}
}
