package authorcmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/cmd/internal/hookcmd"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/dialect"
	"github.com/pawl-dev/pawl/engine/hook"
)

const tryDetail = `Asks what the policy of this directory says about a tool call, as if an agent made it here: a shell command, or any tool with --tool and --input. Nothing of the call is run; hooks that run programs run. Where there is no policy yet, the starter policy of "pawl init" answers.

Put the command into quotes, or "--" before it:
  pawl try 'git push --force origin main'
  pawl try --tool Read --input '{"file_path": "~/.ssh/id_ed25519"}'

The exit code is 2 for deny, else 0.`

func (o Options) try() cli.Command {
	t := &tryCall{options: o, tool: "Bash"}
	return cli.Command{
		Name:   "try",
		Args:   "[COMMAND]",
		About:  "ask about a shell command, or another tool call",
		Detail: tryDetail,
		Flags: append([]cli.Flag{
			cli.Text(&t.tool, "tool", "NAME", "the tool that is called (default Bash)"),
			cli.Text(&t.input, "input", "JSON", "its whole input, instead of COMMAND"),
			cli.Switch(&t.json, "json", "print the whole decision as JSON"),
		}, hookcmd.PolicyFlags(&t.policy)...),
		Run: t.run,
	}
}

type tryCall struct {
	options     Options
	policy      call.Policy
	tool, input string
	json        bool
}

func (t *tryCall) run(c *cli.Console, args []string) error {
	ev, err := t.event(args)
	if err != nil {
		return err
	}
	if ev.Dir, err = cli.WorkDir(); err != nil {
		return err
	}
	ctx := context.Background()
	root, unread := call.Here().Workspace(ev.Dir)
	eng, starter, err := t.open(ctx, c, root)
	if err != nil {
		return err
	}
	dec := eng.Dispatch(ctx, ev)
	closeSoon(eng)
	if t.json {
		return writeJSONDecision(c, ev, dec)
	}
	c.Look()
	a := account{c: c, root: root}
	a.event(ev, "")
	a.shell(ev)
	a.steps(dec.Steps)
	a.decision(dec)
	for _, d := range call.NotRead(root, unread) {
		c.Printf("\n%v\n", d)
	}
	if starter {
		c.Printf("\n%s\n", c.Paint.Dim(`There is no policy here: the starter policy of "pawl init" answered.`))
	}
	return verdictExit(dec)
}

// event makes the call that the arguments describe.
func (t *tryCall) event(args []string) (hook.Event, error) {
	ev := hook.Event{Name: hook.PreToolUse, Tool: t.tool, Session: "try"}
	switch {
	case t.input != "" && len(args) > 0:
		return ev, cli.Usagef("give COMMAND or --input, not both")
	case t.input != "":
		input, err := answer.Payload([]byte(t.input))
		if err != nil {
			u := cli.Usagef("--input: %v", err)
			u.Advice = keyAdvice(t.input, err)
			return ev, u
		}
		ev.Input = input
	case len(args) == 0:
		return ev, cli.Usagef("what is to be tried? give a command in quotes")
	case hook.CanonicalTool(t.tool) != "Bash" && hook.CanonicalTool(t.tool) != "PowerShell":
		return ev, cli.Usagef("COMMAND is for shell tools: give --input for %s", t.tool)
	default:
		ev.Input = engine.Input("command", shellText(args))
	}
	return ev.Normal(), nil
}

// keyAdvice says what to write if err is about a key without quotes.
func keyAdvice(text string, err error) string {
	e, ok := errors.AsType[*answer.SyntaxError](err)
	if !ok || e.Offset > len(text) {
		return ""
	}
	at := strings.LastIndexAny(text[:e.Offset], "{,") // an error may stand inside the word
	if at < 0 || strings.ContainsAny(text[at:e.Offset], `":`) {
		return ""
	}
	key, _, ok := strings.Cut(text[at+1:], ":")
	if key = strings.Trim(strings.TrimSpace(key), "'"); !ok || key == "" || strings.ContainsAny(key, "\" ") {
		return ""
	}
	return fmt.Sprintf("keys need double quotes: write %q: …", key)
}

// shellText is the command that args stand for: one argument is a text, more
// are words.
func shellText(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = cli.QuoteShell(arg)
	}
	return strings.Join(words, " ")
}

// open makes the engine, with the starter policy if root has none.
func (t *tryCall) open(ctx context.Context, c *cli.Console, root string) (*engine.Engine, bool, error) {
	eng, err := t.options.openPolicy(ctx, t.policy, root, rehearsal()...)
	if err != nil {
		return nil, false, err
	}
	t.options.handOver(eng.Unlinked(), nil)
	if hasPolicy(eng.Engine) || call.Here().HasPolicy(root) || len(t.policy.Files) > 0 || t.options.Starter == nil {
		return eng.Engine, false, nil
	}
	bundled, err := t.options.openBundled(filepath.Join(root, "pawl.yaml"), t.options.Starter, root)
	return bundled, true, err
}

// writeJSONDecision writes the decision in Pawl's own form; the error is the
// exit code that goes with it.
func writeJSONDecision(c *cli.Console, ev hook.Event, dec hook.Decision) error {
	own, _ := dialect.Named("pawl")
	reply := own.Encode(ev, dec)
	c.Out.Write(reply.Stdout)
	c.Err.Write(reply.Stderr)
	if err := c.Flushed(); err != nil {
		return err
	}
	return cli.ExitIf(reply.Code)
}

// verdictExit is exit code 2 for a Deny.
func verdictExit(dec hook.Decision) error {
	if dec.Verdict == hook.Deny {
		return cli.ExitIf(2)
	}
	return nil
}

// hasPolicy reports whether any settings file says something.
func hasPolicy(eng *engine.Engine) bool {
	return len(eng.Diagnostics()) > 0 || len(settingsFiles(eng)) > 0
}
