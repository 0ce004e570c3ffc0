package authorcmd

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine/policytest"
)

const testDetail = `They are the files *_test.yaml and *_test.lua at and below each PATH, or the current directory. A test sends events the way that "pawl hook" gets them and says what is wanted:

  - {bash: "rm -rf /", want: deny}
  - event: {tool_name: Read,
            tool_input: {file_path: .env}}
    want: ask

The policy under test is that of the nearest workspace, trusted, or the one that "policy: PATH" at the top of a file names. Settings of the user and of the machine do not count, each case starts with empty state, and hooks that run programs run.

The exit code is 0 if all tests pass, 1 if one fails or the coverage is below --min, 2 if a test or a policy cannot be read, or the run was ended.`

func (o Options) test() cli.Command {
	t := testCall{options: o}
	return cli.Command{
		Name:   "test",
		Args:   "[PATH]…",
		About:  "run the tests of a policy",
		Detail: testDetail,
		Flags: []cli.Flag{
			cli.Switch(&t.coverage, "coverage", "list the hooks and rules that fired in no test, and the lines of Lua that none ran"),
			percentFlag(&t.min, "min", "fail if fewer of the hooks and rules fired, or of the lines ran, in percent"),
			cli.Text(&t.junit, "junit", "FILE", "write the results for a build server too"),
			cli.Switch(&t.managed, "managed", "test with the managed settings of this machine"),
			cli.Switch(&t.verbose, "verbose", "name the tests that pass too"),
		},
		Run: t.run,
	}
}

func percentFlag(p *float64, name, about string) cli.Flag {
	return cli.Flag{Name: name, Value: "N", About: about, Set: func(s string) error {
		n, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
		if err != nil || !(n >= 0 && n <= 100) {
			return fmt.Errorf("expected a number from 0 to 100, got %q", s)
		}
		*p = n
		return nil
	}}
}

type testCall struct {
	options                    Options
	coverage, managed, verbose bool
	min                        float64
	junit                      string
}

func (t *testCall) run(c *cli.Console, args []string) error {
	c.Look()
	if len(args) == 0 {
		args = []string{"."}
	}
	files, err := policytest.Find(args...)
	if err != nil {
		return cli.Usagef("%v", err)
	}
	if len(files) == 0 {
		u := cli.Usagef("no tests in %s", strings.Join(args, ", "))
		u.Advice = "their names end in _test.yaml or _test.lua"
		return u
	}
	if t.options.HandOver != nil {
		t.options.handOver(policytest.Unlinked(context.Background(), files), nil)
	}
	home, err := emptyHome()
	if err != nil {
		return t.broken(c, err)
	}
	defer os.RemoveAll(home)
	ctx, done := cli.Interruptible(context.Background())
	defer done()
	v := testView{c: c, verbose: t.verbose}
	opts := policytest.Options{Home: home, Tell: v.tell, Engine: t.options.Engine}
	if t.managed {
		opts.Managed = managedDir
	}
	report, err := policytest.Run(ctx, files, opts)
	v.endFile()
	if err != nil {
		v.counts(report, false)
		return t.broken(c, err)
	}
	if t.junit != "" {
		if err := writeJUnit(t.junit, report); err != nil {
			return t.broken(c, err)
		}
	}
	if t.coverage {
		v.coverage(report.Coverage)
	}
	v.counts(report, t.coverage || t.min > 0)
	return t.verdict(c, report)
}

// emptyHome makes an empty directory the home of this process and of all that
// it starts.
func emptyHome() (string, error) {
	home, err := os.MkdirTemp("", "pawl-home-")
	if err != nil {
		return "", err
	}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "CLAUDE_PROJECT_DIR"} {
		os.Unsetenv(name) // cannot fail where a home can be set
	}
	return home, os.Setenv("HOME", home)
}

// managedDir is where the machine's managed settings are.
const managedDir = "/etc/pawl"

// broken tells an error that is no fault of a test.
func (t *testCall) broken(c *cli.Console, err error) error {
	if lost := c.Flushed(); lost != nil {
		return lost
	}
	fmt.Fprintf(c.Err, "pawl test: %s\n", cli.EscapeLines(err.Error()))
	return cli.ExitCode(2)
}

func (t *testCall) verdict(c *cli.Console, r policytest.Report) error {
	least := min(r.Coverage.Percent(), r.Coverage.LinePercent())
	low := least < t.min
	if low {
		if err := c.Flushed(); err != nil {
			return err
		}
		fmt.Fprintf(c.Err, "pawl test: the coverage of %s is below the %g%% that --min wants\n", percent(least), t.min)
	}
	switch {
	case r.Errored > 0:
		return cli.ExitCode(2)
	case r.Failed > 0 || low:
		return cli.ExitCode(1)
	}
	return nil
}

// writeJUnit writes the report to a file, with the trace of what failed.
func writeJUnit(path string, r policytest.Report) error {
	var b bytes.Buffer
	err := policytest.WriteJUnit(&b, r, func(res policytest.Result) string {
		var text bytes.Buffer
		plain := &cli.Console{Out: bufio.NewWriter(&text)}
		v := testView{c: plain}
		v.trace(res)
		plain.Out.Flush()
		return text.String()
	})
	if err != nil {
		return fmt.Errorf("--junit: %w", err)
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
