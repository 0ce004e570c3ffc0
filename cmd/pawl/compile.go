package main

import (
	"context"

	"github.com/pawl-dev/pawl/engine/hook"
)

const compileDetail = `Prints for each hook and rule the one expression that its matcher, its "if" and its "when" come to. It can be pasted back as a "when", and so is never wrapped, whatever the width.`

func compileCommand() command {
	var p policy
	return command{
		name:   "compile",
		args:   "[FILE]…",
		about:  "print the expression of each matcher and rule",
		detail: compileDetail,
		flags:  p.flags(),
		run: func(c *console, args []string) error {
			p.files = append(p.files, args...)
			return compile(c, p)
		},
	}
}

func compile(c *console, p policy) error {
	dir, err := workDir()
	if err != nil {
		return err
	}
	ctx := context.Background()
	root := c.projectRoot(dir)
	eng, err := p.open(ctx, c, root)
	if err != nil {
		return err
	}
	c.look()
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
	if l.entries == 0 {
		c.printf("no hooks in %s\n", escape(root))
	}
	if l.broken > 0 {
		return exitCode(1)
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
		l.c.printf("\n")
	}
	pos.File, pos.Col = l.file(pos.File), 0
	l.c.printf("%s  %s  %s\n", l.c.paint.bold(escape(id)), escape(on), l.c.paint.dim(escape(pos.String())))
	if broken != nil {
		l.broken++
		l.para("  ", broken.Message, l.c.paint.red)
		return
	}
	l.c.printf("  %s\n", escape(expr)) // never wrapped: it is there to be copied
}
