package authorcmd

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
	"github.com/pawl-dev/pawl/lua"
)

const checkDetail = `Reads settings as "pawl hook" does and reports what is wrong with them: broken entries, patterns that can never match, unknown keys and events; in Lua policies names that nothing defines, functions that nobody calls, verdicts that come to nothing. PATH is a settings file, or a directory with its settings; without one it is the workspace of the current directory.

With --timeouts it also lists what each timeout comes to; it does so by itself if one was cut or read as milliseconds.

The exit code is 1 if there are errors, 0 if there are only warnings and notes.`

func (o Options) check() cli.Command {
	k := checkCall{options: o}
	return cli.Command{
		Name:   "check",
		Args:   "[PATH]…",
		About:  "look for mistakes in the settings",
		Detail: checkDetail,
		Flags: []cli.Flag{
			cli.Switch(&k.json, "json", "print the findings as one JSON object"),
			cli.Switch(&k.timeouts, "timeouts", "list what the timeouts come to"),
			cli.Switch(&k.claude, "claude-settings", "read the hooks and permissions of .claude/settings.json too"),
		},
		Run: k.run,
	}
}

type checkCall struct {
	options                Options
	json, claude, timeouts bool
}

// findings is what a check found out.
type findings struct {
	diags []hook.Diagnostic
	hooks []engine.Hook // those that settings files write down
	rules int           // permission rules
	// callbacks are those of tasks and subagents.
	callbacks []engine.Callback
	files     map[string]bool
	// pinned are the directories that are; texts are those of their files,
	// which are not those on disk.
	pinned []string
	texts  map[string][]byte
}

func (k *checkCall) run(c *cli.Console, args []string) error {
	dir, err := cli.WorkDir()
	if err != nil {
		return err
	}
	root, unread := call.Here().Workspace(dir)
	found, err := k.inspect(root, args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		found.diags = append(found.diags, call.NotRead(root, unread)...)
	}
	c.Look()
	r := report{account{c: c, root: root}, found.texts, k.timeouts}
	if k.json {
		r.json(found)
	} else {
		r.text(found)
	}
	if errorCount(found.diags) > 0 {
		return cli.ExitCode(1)
	}
	return nil
}

// inspect opens each path by itself, the workspace if there is none.
func (k *checkCall) inspect(root string, paths []string) (findings, error) {
	found := findings{files: map[string]bool{}, texts: map[string][]byte{}}
	var files []string
	dirs := []string{}
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			return found, err
		}
		info, err := os.Stat(abs)
		switch {
		case err != nil:
			return found, err
		case info.IsDir():
			dirs = append(dirs, abs)
		default:
			files = append(files, abs)
		}
	}
	if len(paths) == 0 {
		dirs = append(dirs, root)
	}
	for _, dir := range dirs {
		if err := k.add(&found, call.Policy{Claude: k.claude}, dir); err != nil {
			return found, err
		}
	}
	if len(files) > 0 {
		return found, k.add(&found, call.Policy{Files: files, Claude: k.claude}, root)
	}
	return found, nil
}

// add opens what p names and adds what there is to say about it.
func (k *checkCall) add(f *findings, p call.Policy, root string) error {
	ctx := context.Background()
	eng, err := k.options.openPolicy(ctx, p, root)
	if err != nil {
		return err
	}
	k.options.handOver(append(eng.Unlinked(), eng.Unjudged()...), nil)
	f.diags = slices.Concat(f.diags, eng.Diagnostics(), eng.Lint())
	if pins := eng.Pinned(root); pins != nil && len(p.Files) == 0 {
		f.pinned = append(f.pinned, root)
		for _, file := range pins {
			f.texts[file.Path] = file.Text
		}
	}
	for _, h := range eng.Hooks() {
		if h.Spec.Source.File == "" {
			continue
		}
		f.files[h.Spec.Source.File] = true
		if !standsIn(h) {
			f.hooks = append(f.hooks, h)
		}
	}
	for _, r := range eng.PermissionRules() {
		if r.Spec.Source.File != "" {
			f.files[r.Spec.Source.File] = true
			f.rules++
		}
	}
	f.callbacks = append(f.callbacks, eng.Callbacks()...)
	for _, back := range eng.Callbacks() {
		f.files[back.Source.File] = true
	}
	return eng.Close(ctx)
}

func errorCount(diags []hook.Diagnostic) int {
	n := 0
	for _, d := range diags {
		if d.Severity == hook.Error {
			n++
		}
	}
	return n
}

// report writes findings; it keeps the text of each file that it quotes.
type report struct {
	account
	texts map[string][]byte
	// timeouts are listed whether or not one is odd.
	timeouts bool
}

// text writes the findings by file, in the order of their lines, then the
// timeouts, what does not run, and the counts.
func (r report) text(found findings) {
	byFile := map[string][]hook.Diagnostic{}
	for _, d := range found.diags {
		byFile[d.Pos.File] = append(byFile[d.Pos.File], d)
	}
	for i, file := range sortedKeys(byFile) {
		if i > 0 {
			r.c.Printf("\n")
		}
		if file != "" {
			r.c.Printf("%s\n", r.c.Paint.Bold(cli.Escape(r.file(file))))
		}
		diags := byFile[file]
		slices.SortStableFunc(diags, func(a, b hook.Diagnostic) int {
			return (a.Pos.Line-b.Pos.Line)*1000 + a.Pos.Col - b.Pos.Col
		})
		for _, d := range diags {
			r.finding(d)
		}
	}
	if r.timeouts || slices.ContainsFunc(found.diags, isTimeoutNote) {
		r.listTimeouts(found.hooks)
	}
	gated := r.gates(found)
	if len(found.diags) > 0 || r.timeouts && len(found.hooks) > 0 || gated {
		r.c.Printf("\n")
	}
	for _, root := range found.pinned {
		r.c.Printf("%s is pinned: later changes of its files do not count (pawl trust --pin)\n", cli.Escape(root))
	}
	r.counts(found)
}

func (r report) finding(d hook.Diagnostic) {
	place := ""
	if d.Pos.Line > 0 {
		place = strings.TrimPrefix(hook.Position{Line: d.Pos.Line, Col: d.Pos.Col}.String(), ":")
	}
	text := d.Message
	if d.Path != "" {
		text = d.Path + ": " + text
	}
	paint := r.c.Paint
	word := cli.Pad(d.Severity.String(), len("warning"))
	r.para("  "+cli.Pad(place, 7)+" "+paint.Severity(d.Severity, word)+"  ", text, same)
	r.excerpt(d.Pos)
	if d.Advice != "" {
		r.para(margin, d.Advice, paint.Blue)
	}
}

// excerpt shows the line of a finding, as much of it as there is room for.
func (r report) excerpt(pos hook.Position) {
	width := 100
	if r.c.Width > 0 {
		width = min(width, max(r.c.Width-len(margin)-2, 1))
	}
	excerpt := settings.Excerpt(r.source(pos.File), pos, width)
	if excerpt == "" {
		return
	}
	for line := range strings.SplitSeq(strings.TrimRight(excerpt, "\n"), "\n") {
		r.c.Printf("%s%s\n", margin, r.c.Paint.Dim(cli.Clip(cli.EscapeBut(line, "\t"), max(r.c.Width-len(margin), 0))))
	}
}

// margin is what stands before the parts of a finding.
const margin = "          "

// source returns the text of a file, nil if it cannot be read.
func (r report) source(name string) []byte {
	text, ok := r.texts[name]
	if !ok && name != "" {
		text, _ = os.ReadFile(name)
		r.texts[name] = text
	}
	return text
}

// isTimeoutNote reports whether d says how a timeout was read.
func isTimeoutNote(d hook.Diagnostic) bool {
	return d.Severity == hook.Note && strings.HasSuffix(d.Path, ".timeout")
}

// standsIn reports that h is no hook of its file: it stands in for a file that
// cannot be read.
func standsIn(h engine.Hook) bool {
	return h.Spec.Type == "settings" || h.Spec.Type == lua.TypeName && h.Spec.Broken != nil
}

// listTimeouts writes what the timeouts come to; hooks that share one are counted.
func (r report) listTimeouts(hooks []engine.Hook) {
	const few = 3
	by := map[time.Duration][]hook.Spec{}
	for _, h := range hooks {
		by[h.Spec.Timeout] = append(by[h.Spec.Timeout], h.Spec)
	}
	var rows [][2]string
	for _, t := range sortedKeys(by) {
		if specs := by[t]; len(specs) > few {
			rows = append(rows, [2]string{t.String(), cli.Plural(len(specs), "hook")})
		} else {
			for _, s := range specs {
				rows = append(rows, [2]string{t.String(), s.ID + "  " + r.place(hook.Step{Pos: s.Pos})})
			}
		}
	}
	if len(rows) > 0 {
		r.heading("timeouts", "")
		r.rows(rows)
	}
}

// gates writes which hooks and callbacks do not run, and why, and reports
// whether there are any.
func (r report) gates(found findings) bool {
	by := map[string][][2]string{}
	add := func(gate, id string, pos hook.Position) {
		if gate != "" {
			by[gate] = append(by[gate], [2]string{id, r.place(hook.Step{Pos: pos})})
		}
	}
	for _, h := range found.hooks {
		add(h.Gate, h.Spec.ID, h.Spec.Pos)
	}
	for _, back := range found.callbacks {
		add(back.Gate, back.ID, back.Pos)
	}
	for _, gate := range sortedKeys(by) {
		r.heading("hooks that do not run", gate)
		r.rows(by[gate])
	}
	return len(by) > 0
}

func (r report) counts(found findings) {
	if len(found.files)+len(found.diags) == 0 {
		r.c.Printf("%s\n", "no hooks, rules or permissions here: every call goes the agent's own way; pawl init writes a starter policy")
		return
	}
	var by [3]int
	for _, d := range found.diags {
		by[d.Severity]++
	}
	what := cli.Plural(len(found.hooks), "hook")
	if found.rules > 0 {
		what += ", " + cli.Plural(found.rules, "permission rule")
	}
	if n := len(found.callbacks); n > 0 {
		what += ", " + cli.Plural(n, "callback") + " of tasks and subagents"
	}
	r.c.Printf("%s in %s%s: ", what, cli.Plural(len(found.files), "file"), r.fromLua(found.hooks))
	if len(found.diags) == 0 {
		r.c.Printf("%s\n", r.c.Paint.Green("nothing to mend"))
		return
	}
	var parts []string
	for _, s := range []hook.Severity{hook.Error, hook.Warning, hook.Note} {
		if by[s] > 0 {
			parts = append(parts, r.c.Paint.Severity(s, cli.Plural(by[s], s.String())))
		}
	}
	r.c.Printf("%s\n", strings.Join(parts, ", "))
}

// fromLua says how many hooks each Lua policy registers; "" if there is none.
func (r report) fromLua(hooks []engine.Hook) string {
	const few = 4
	by, sum := map[string]int{}, 0
	for _, h := range hooks {
		if h.Spec.Type == lua.TypeName && h.Spec.Pos.File != h.Spec.Source.File {
			by[h.Spec.Pos.File]++
			sum++
		}
	}
	var parts []string
	for _, file := range sortedKeys(by) {
		parts = append(parts, fmt.Sprintf("%d from %s", by[file], cli.Escape(r.file(file))))
	}
	switch {
	case sum == 0:
		return ""
	case len(parts) > few:
		return fmt.Sprintf(" (%d from %d Lua policies)", sum, len(parts))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// json writes one object with all findings, for other programs.
func (r report) json(found findings) {
	r.c.Printf(`{"hooks":%d,"permission_rules":%d,"callbacks":%d,"pinned":%t,"errors":%d,"diagnostics":[`, len(found.hooks), found.rules, len(found.callbacks), len(found.pinned) > 0, errorCount(found.diags))
	for i, d := range found.diags {
		if i > 0 {
			r.c.Printf(",")
		}
		r.c.Printf("\n"+`{"severity":%s,"file":%s,"line":%d,"col":%d,"path":%s,"message":%s,"advice":%s}`,
			cli.QuoteJSON(d.Severity.String()), cli.QuoteJSON(d.Pos.File), d.Pos.Line, d.Pos.Col,
			cli.QuoteJSON(d.Path), cli.QuoteJSON(d.Message), cli.QuoteJSON(d.Advice))
	}
	r.c.Printf("]}\n")
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
