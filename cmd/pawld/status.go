package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/cmd/internal/resident"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
)

func statusCommand() cli.Command {
	var asJSON bool
	return cli.Command{
		Name:   "status",
		About:  "show what the resident engine does",
		Detail: "The exit code is 1 if none runs.",
		Flags:  []cli.Flag{cli.Switch(&asJSON, "json", "print it as JSON")},
		Run: func(c *cli.Console, args []string) error {
			if err := cli.NoArgs(args); err != nil {
				return err
			}
			client, err := dial()
			if err != nil {
				return err
			}
			defer client.Close()
			data, err := client.Status(dialWait)
			if err != nil {
				return err
			}
			if asJSON {
				c.Printf("%s\n", data)
				return nil
			}
			var st resident.Status
			if err := json.Unmarshal(data, &st); err != nil {
				return fmt.Errorf("the status cannot be read: %w", err)
			}
			c.Look()
			tell(c, st)
			return nil
		},
	}
}

// maxFaults is how many faults of one workspace are shown.
const maxFaults = 3

// tell writes st for people.
func tell(c *cli.Console, st resident.Status) {
	rows := [][2]string{
		{"process", fmt.Sprintf("%d, for %v", st.PID, since(st.Started))},
		{"calls", fmt.Sprintf("%d, %s now", st.Calls, cli.Plural(st.Connections, "connection"))},
		{"memory", fmt.Sprintf("%d MiB", st.Memory>>20)},
	}
	if st.Version != wire.Version() {
		rows = append(rows, [2]string{"version", cli.Escape(st.Version) + c.Paint.Yellow("  not that of this program: restart it")})
	}
	if st.HTTP != "" {
		rows = append(rows, [2]string{"http", st.HTTP})
	}
	c.Rows(rows)
	for _, w := range st.Workspaces {
		c.Printf("\n%s\n", c.Paint.Bold(cli.Escape(w.Root)))
		rows := [][2]string{
			{"snapshot", w.Snapshot},
			{"calls", fmt.Sprintf("%d in %s, the last %v ago", w.Calls, cli.Plural(w.Sessions, "session"), since(w.Used))},
		}
		for _, f := range w.Files {
			rows = append(rows, [2]string{"config", cli.Escape(f)})
		}
		for i, fault := range w.Faults {
			if i == maxFaults {
				rows = append(rows, [2]string{"", fmt.Sprintf(`and %d more, see "pawl check"`, len(w.Faults)-i)})
				break
			}
			rows = append(rows, [2]string{"broken", c.Paint.Red(cli.Escape(fault)) + "; it blocks until it is mended"})
		}
		for _, kept := range w.Kept {
			rows = append(rows, [2]string{"kept", c.Paint.Yellow(cli.Escape(kept)) + "; what it said before stays in force"})
		}
		c.Rows(rows)
	}
	if len(st.Declined) > 0 {
		c.Printf("\nClients that decided by themselves:\n")
		for why, n := range st.Declined {
			c.Printf("  %6d  %s\n", n, cli.Escape(why))
		}
	}
}

func since(t time.Time) time.Duration { return time.Since(t).Round(time.Second) }
