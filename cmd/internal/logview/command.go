package logview

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/audit"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
)

const detail = `Each decision is a line: when, the verdict, the event and tool, how long it took, and what it was about; below it the hooks that decided, their reasons, and what failed. Without -n and --since it shows the last 100, with --follow the last 10; --json and --stats take all there are.

--stats tells for each hook how often it ran and what it said, with the median of its times, the 99th percentile, which are right to an eighth, and the maximum. Defer counts as ask.

Times are those of your time zone. Secrets have been hidden when the log was written.`

// Command returns the subcommand log. path returns where the log is if no flag
// says so; "" if the user has no place for it.
func Command(path func() string) cli.Command {
	v := &view{last: -1, now: time.Now, pause: 250 * time.Millisecond}
	return cli.Command{
		Name:   "log",
		About:  "show the decisions that have been recorded",
		Detail: detail,
		Flags: []cli.Flag{
			cli.Text(&v.session, "session", "ID", "only those of a session: its id or the beginning of it"),
			cli.Text(&v.event, "event", "NAME", "only those on an event"),
			cli.Text(&v.tool, "tool", "NAME", "only those about a tool"),
			{Name: "verdict", Value: "WORD", About: "only these: none, allow, ask, defer or deny", Set: v.setVerdict},
			cli.Text(&v.hook, "hook", "ID", "only those in which a hook ran"),
			{Name: "since", Value: "TIME", About: "only later ones: 1h, 7d, 15:04, 2006-01-02, …", Set: func(s string) error { return v.setSince(s, v.now()) }},
			{Name: "n", Value: "N", About: "at most the last N; 0 for all", Set: v.setLast},
			cli.Switch(&v.follow, "follow", "go on as decisions are made"),
			cli.Switch(&v.json, "json", "the lines as they stand in the log"),
			cli.Switch(&v.stats, "stats", "count verdicts and hooks instead"),
			cli.Text(&v.file, "file", "FILE", "the log to read (default: that of this user)"),
		},
		Run: func(c *cli.Console, args []string) error {
			if err := cli.NoArgs(args); err != nil {
				return err
			}
			if v.file == "" {
				v.file = path()
			}
			c.Look()
			return v.run(context.Background(), c)
		},
	}
}

// view is one call of the command.
type view struct {
	filter
	last   int // 0: all; -1: not said
	follow bool
	json   bool
	stats  bool
	file   string
	now    func() time.Time
	pause  time.Duration // after which --follow looks again
}

func (v *view) setLast(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return fmt.Errorf("expected a number, got %q", s)
	}
	v.last = n
	return nil
}

// limit is how many records are shown at the most, 0 for all.
func (v *view) limit() int {
	switch {
	case v.last >= 0:
		return v.last
	case !v.since.IsZero():
		return 0
	case v.follow:
		return 10
	case v.json || v.stats:
		return 0
	}
	return 100
}

// sink takes the records that are to be shown.
type sink interface {
	add(line *audit.Line)
}

// run shows what there is and, to follow, what comes until ctx ends.
func (v *view) run(ctx context.Context, c *cli.Console) error {
	switch {
	case v.stats && v.follow:
		return cli.Usagef("--stats and --follow do not go together")
	case v.file == "":
		return errors.New("no directory for the log: set HOME or XDG_STATE_HOME, or name the log with --file")
	}
	r, err := v.open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	switch {
	case v.stats:
		s := newStats()
		if err := v.show(r, s); err != nil {
			return err
		}
		s.damaged = r.Damaged
		if v.json {
			return s.encode(c.Out)
		}
		s.write(c, v.now().Location())
		return nil
	case v.json:
		return v.tail(ctx, c, r, raw{c})
	}
	return v.tail(ctx, c, r, &table{c: c, zone: v.now().Location()})
}

// open opens the log, for which --follow waits if need be.
func (v *view) open(ctx context.Context) (*audit.Reader, error) {
	for {
		r, err := audit.Open(v.file, v.follow)
		if !errors.Is(err, fs.ErrNotExist) {
			return r, err
		}
		if !v.follow {
			return nil, fmt.Errorf("%s: there is no log (pawl hook writes one with --audit, pawld serve always)", v.file)
		}
		if !v.wait(ctx) {
			return nil, ctx.Err()
		}
	}
}

// wait returns after a pause, or false if ctx has ended.
func (v *view) wait(ctx context.Context) bool {
	timer := time.NewTimer(v.pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// tail shows what there is, then what comes.
func (v *view) tail(ctx context.Context, c *cli.Console, r *audit.Reader, to sink) error {
	err := v.show(r, to)
	if r.Damaged > 0 && err == nil {
		fmt.Fprintf(c.Err, "%s of the log cannot be read: torn by a process that was killed, a full disk, or another hand\n", cli.Plural(r.Damaged, "line"))
	}
	for err == nil && v.follow {
		if err = c.Flushed(); err != nil || !v.wait(ctx) {
			break
		}
		if err = r.More(); err == nil {
			err = v.rest(r, to)
		}
	}
	return err
}

// show gives to what there is.
func (v *view) show(r *audit.Reader, to sink) error {
	n := v.limit()
	if n == 0 {
		return v.rest(r, to)
	}
	lines, err := r.Last(n, v.wants)
	for i := range lines {
		to.add(&lines[i])
	}
	return err
}

// rest gives to what is wanted until nothing is left.
func (v *view) rest(r *audit.Reader, to sink) error {
	for {
		line, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if v.wants(&line.Record) {
			to.add(&line)
		}
	}
}

// raw writes lines as they stand in the log.
type raw struct{ c *cli.Console }

func (w raw) add(line *audit.Line) { w.c.Printf("%s\n", line.Text) }
