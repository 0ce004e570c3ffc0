package authorcmd

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules"
)

const matchDetail = `Says whether a pattern, as an "if" or a deny rule reads it, fits a shell text: yes, no, or unknown where the text alone cannot tell; then the command that is meant, and why. No policy is read and nothing is run.

  pawl match 'Bash(git push {--force,-f} *)' 'sudo git push -uf'
  pawl match 'Read(~/.ssh/**)' ~/.ssh/id_rsa
  pawl match 'WebFetch(domain:*.example.com)' https://docs.example.com/x

With --tsv it reads a table with a header line; the columns id, command, pattern and expected (yes, no, unsafe-unknown) are found by their names, others are passed over. PATTERN is for tables without that column. In a command \\ \n \t \r \0 stand for backslash, newline, tab, carriage return and NUL. Each row becomes a line id, answer, reason with tabs between; the last line counts.

The exit code is 1 if a row is answered wrongly: no where yes or unsafe-unknown is expected, yes where no is. It is 2 if the call, a pattern or the table cannot be read.`

func match() cli.Command {
	m := &matchCall{}
	return cli.Command{
		Name:   "match",
		Args:   "PATTERN COMMAND",
		About:  "ask whether a pattern fits a command, a path or an address",
		Detail: matchDetail,
		Flags: []cli.Flag{
			cli.Text(&m.tsv, "tsv", "FILE", "answer the rows of a table, - for standard input"),
			cli.Switch(&m.failed, "failed", "of the table, print only the rows that are not answered as expected"),
			cli.Switch(&m.grant, "allow", "read the pattern as an allow rule, which has to cover all that the command does"),
		},
		Run: m.run,
	}
}

type matchCall struct {
	tsv           string
	failed, grant bool
	scope         rules.Scope
	dir           string
	analyzer      *rules.Analyzer
	patterns      map[string]*rules.Pattern
}

func (m *matchCall) run(c *cli.Console, args []string) error {
	dir, err := cli.WorkDir()
	if err != nil {
		return err
	}
	root := projectRoot(dir)
	m.dir, m.analyzer, m.patterns = dir, rules.NewAnalyzer(nil), map[string]*rules.Pattern{}
	m.scope = rules.Scope{Event: hook.PreToolUse, Source: hook.Source{Dir: root}, Root: root, Home: call.Here().Home(), Grant: m.grant}
	switch {
	case m.tsv != "" && len(args) <= 1:
		return m.table(c, strings.Join(args, ""))
	case m.tsv != "":
		return cli.Usagef("with --tsv the commands stand in the table; at most a pattern is given")
	case m.failed:
		return cli.Usagef("--failed is for --tsv")
	case len(args) < 2:
		return cli.Usagef("give a pattern and a command, each in quotes: pawl match 'Bash(rm *)' 'sudo rm x'")
	}
	answer, ev, diags, err := m.ask(args[0], shellText(args[1:]))
	if err != nil {
		return err
	}
	c.Look()
	for _, d := range diags {
		fmt.Fprintf(c.Err, "%s: %s\n", d.Severity, cli.EscapeLines(adviceOf(d)))
	}
	c.Printf("%s  %s\n", c.Paint.Bold(triWord(answer.Tri)), cli.Escape(answer.Why))
	account{c: c, root: root}.shell(ev)
	return nil
}

// ask says whether a pattern fits what it is about: a command, a path, a url.
func (m *matchCall) ask(pattern, subject string) (hook.Match, hook.Event, []hook.Diagnostic, error) {
	ev := hook.Event{Name: hook.PreToolUse, Session: "match", Dir: m.dir}
	p, diags, err := m.compile(pattern)
	if err != nil {
		return hook.Match{}, ev, nil, err
	}
	ev.Tool, _, _ = strings.Cut(strings.TrimSpace(pattern), "(")
	ev.Tool = hook.CanonicalTool(strings.TrimSpace(ev.Tool))
	ev.Input = engine.Input(subjectField(ev.Tool), subject)
	ev = ev.Normal()
	answer := p.Explain(m.analyzer.Analyze(ev))
	if answer.Why == "" {
		answer.Why = "the pattern says so"
	}
	return answer, ev, diags, nil
}

func (m *matchCall) compile(pattern string) (*rules.Pattern, []hook.Diagnostic, error) {
	if p := m.patterns[pattern]; p != nil {
		return p, nil, nil
	}
	if name, _, spec := strings.Cut(pattern, "("); !spec && !hook.KnownTool(name) && hook.CanonicalTool(name) == name {
		return nil, nil, &cli.UsageError{Message: fmt.Sprintf("%q is not a pattern of the form Tool(specifier)", pattern), Advice: fmt.Sprintf("write 'Bash(%s)'", pattern)}
	}
	p, diags := rules.If(hook.Text{Value: pattern}, m.scope)
	if p == nil {
		i := slices.IndexFunc(diags, func(d hook.Diagnostic) bool { return d.Severity == hook.Error })
		return nil, nil, cli.Usagef("%s", adviceOf(diags[max(i, 0)]))
	}
	m.patterns[pattern] = p
	return p, diags, nil
}

// subjectField is the field of a tool's input that its patterns test.
func subjectField(tool string) string {
	switch tool {
	case "Bash", "PowerShell":
		return "command"
	case "WebFetch":
		return "url"
	case "Agent":
		return "subagent_type"
	case "Skill":
		return "skill"
	case "NotebookEdit":
		return "notebook_path"
	case "Glob", "Grep", "LS":
		return "path"
	}
	return "file_path"
}

func adviceOf(d hook.Diagnostic) string {
	if d.Advice == "" {
		return d.Message
	}
	return d.Message + " (" + d.Advice + ")"
}

func triWord(t hook.Tri) string {
	return map[hook.Tri]string{hook.No: "no", hook.Unknown: "unknown", hook.Yes: "yes"}[t]
}

// table answers the rows of a file.
func (m *matchCall) table(c *cli.Console, pattern string) error {
	in, name := c.In, "standard input"
	if m.tsv != "-" {
		f, err := os.Open(m.tsv)
		if err != nil {
			return cli.Usagef("%v", err)
		}
		defer f.Close()
		in, name = f, m.tsv
	}
	t := &caseTable{match: m, c: c, name: name, pattern: pattern}
	if err := t.read(in); err != nil {
		return err
	}
	c.Printf("%s\n", t.summary())
	switch {
	case t.broken > 0:
		return cli.ExitCode(2)
	case t.wrong > 0:
		return cli.ExitCode(1)
	}
	return nil
}
