package authorcmd

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine/hook"
)

//go:embed demo/pawl.yaml
var demoPolicy []byte

// demoEvents is a title line that starts with "# " and an event, in turn.
//
//go:embed demo/events.txt
var demoEvents []byte

// Demo returns the command of that name.
func (o Options) Demo() cli.Command {
	show := false
	return cli.Command{
		Name:   "demo",
		About:  "watch a small policy decide a dozen events",
		Detail: "Decides events of an agent by a policy that this program carries. Nothing of them is run, and no file is read or written.",
		Flags:  []cli.Flag{cli.Switch(&show, "policy", "print the policy instead")},
		Run: func(c *cli.Console, args []string) error {
			if err := cli.NoArgs(args); err != nil {
				return err
			}
			if show {
				c.Out.Write(demoPolicy)
				return nil
			}
			c.Look()
			return o.demo(c)
		},
	}
}

func (o Options) demo(c *cli.Console) error {
	eng, err := o.openBundled("/demo/demo.yaml", demoPolicy, "/demo")
	if err != nil {
		return err
	}
	a := account{c: c, root: "/demo"}
	title, n := "", 0
	for line := range bytes.Lines(demoEvents) {
		line = bytes.TrimSpace(line)
		if text, ok := bytes.CutPrefix(line, []byte("# ")); ok {
			title = string(text)
			continue
		}
		m, err := call.ReadMessage(line, "")
		if err != nil {
			return fmt.Errorf("event %d of the demo: %w", n+1, err)
		}
		if n++; n > 1 {
			c.Printf("\n")
		}
		a.para(fmt.Sprintf("%2d ", n), title, c.Paint.Bold)
		a.brief(m.Event, eng.Dispatch(context.Background(), m.Event))
	}
	c.Printf("\nThe policy:            %s\nA policy of your own:  %s\n", c.Paint.Bold("pawl demo --policy"), c.Paint.Bold("pawl init"))
	return eng.Close(context.Background())
}

// brief writes an event and its decision in a few lines.
func (a account) brief(ev hook.Event, dec hook.Decision) {
	what := ev.Name
	head := string(what)
	if subject := ev.MatchSubject(); subject != "" {
		head += " " + subject
	}
	a.para("   ", head+"  "+gist(ev), a.c.Paint.Dim)
	word := dec.Verdict.String()
	if dec.Verdict == hook.None {
		word = "-"
	}
	label := "   " + a.c.Paint.Verdict(dec.Verdict, cli.Pad(word, 5)) + "  "
	text := strings.Join(dec.Reasons, "\n")
	switch {
	case text != "":
	case len(dec.Context) > 0:
		text = "tells the agent: " + strings.Join(dec.Context, "\n")
	case dec.Verdict == hook.Allow:
		text = "without asking"
	default:
		text = "no rule has an opinion"
	}
	a.para(label, text, same)
	if s, ok := decisive(dec); ok {
		why := s.Hook + "  " + a.place(s)
		if s.Detail != "" {
			why += "  " + s.Detail
		}
		a.para("          ", why, a.c.Paint.Dim)
	}
}

// gist is the one value that says most about an event.
func gist(ev hook.Event) string {
	for _, name := range []string{"command", "file_path", "url"} {
		if text := ev.Input.Text(name); text != "" {
			return text
		}
	}
	return ev.Prompt + ev.Message
}

// decisive returns the step that the decision comes from.
func decisive(dec hook.Decision) (hook.Step, bool) {
	for _, s := range dec.Steps {
		if s.Status != hook.NotMatch && s.Status != hook.Skipped && s.Verdict == dec.Verdict {
			return s, true
		}
	}
	return hook.Step{}, false
}
