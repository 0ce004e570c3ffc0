package authorcmd

import (
	"context"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/cmd/internal/hookcmd"
	"github.com/pawl-dev/pawl/engine/hook"
)

const compileDetail = `Prints for each hook and rule the one expression that its matcher, its "if" and its "when" come to. It can be pasted back as a "when", and so is never wrapped, whatever the width.`

func (o Options) compile() cli.Command {
	var p call.Policy
	return cli.Command{
		Name:   "compile",
		Args:   "[FILE]…",
		About:  "print the expression of each matcher and rule",
		Detail: compileDetail,
		Flags:  hookcmd.PolicyFlags(&p),
		Run: func(c *cli.Console, args []string) error {
			p.Files = append(p.Files, args...)
			return o.printCompiled(c, p)
		},
	}
}

func (o Options) printCompiled(c *cli.Console, p call.Policy) error {
	dir, err := cli.WorkDir()
	if err != nil {
		return err
	}
	ctx := context.Background()
	root := projectRoot(dir)
	eng, err := o.openPolicy(ctx, p, root)
	if err != nil {
		return err
	}
	o.handOver(eng.Unlinked(), nil)
	c.Look()
	l := listing{account: account{c: c, root: root}}
	for _, h := range eng.Hooks() {
		if h.Spec.Source.File != "" {
			l.entry(h.Spec.ID, string(h.Spec.Event), h.Spec.Pos, h.Expr, h.Spec.Broken)
		}
	}
	for _, r := range eng.PermissionRules() {
		if r.Spec.Source.File != "" {
			l.entry(r.Spec.ID, r.Spec.Verdict.String(), r.Spec.Text.Pos, r.Expr, r.Spec.Broken)
		}
	}
	for _, back := range eng.Callbacks() {
		l.entry(back.ID, back.Type, back.Pos, back.Expr, back.Broken)
	}
	if l.entries == 0 {
		c.Printf("no hooks in %s\n", cli.Escape(root))
	}
	if l.broken > 0 {
		return cli.ExitCode(1)
	}
	return eng.Close(ctx)
}

// listing writes entries with their expressions.
type listing struct {
	account
	entries, broken int
}

func (l *listing) entry(id, on string, pos hook.Position, expr string, broken *hook.Diagnostic) {
	if l.entries++; l.entries > 1 {
		l.c.Printf("\n")
	}
	pos.File, pos.Col = l.file(pos.File), 0
	l.c.Printf("%s  %s  %s\n", l.c.Paint.Bold(cli.Escape(id)), cli.Escape(on), l.c.Paint.Dim(cli.Escape(pos.String())))
	if broken != nil {
		l.broken++
		l.para("  ", broken.Message, l.c.Paint.Red)
		return
	}
	l.c.Printf("  %s\n", cli.Escape(expr)) // never wrapped: it is there to be copied
}
