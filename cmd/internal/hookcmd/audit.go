package hookcmd

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/pawl-dev/pawl/cmd/internal/audit"
	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine/hook"
)

// ledger is whether and where a call is recorded.
type ledger struct {
	on     bool
	file   string
	hide   []string
	redact *audit.Redactor
}

func (l *ledger) flags() []cli.Flag {
	return []cli.Flag{
		cli.Switch(&l.on, "audit", "record the decision in the audit log (or set PAWL_AUDIT=1)"),
		cli.Text(&l.file, "audit-file", "FILE", "record it in FILE"),
		cli.List(&l.hide, "audit-redact", "REGEXP", "hide in the record what this matches, or its groups; may be given again"),
	}
}

// check reads what was asked for. It opens nothing.
func (l *ledger) check(getenv func(string) string) (err error) {
	switch getenv("PAWL_AUDIT") {
	case "", "0", "false":
	default:
		l.on = true
	}
	if l.on = l.on || l.file != ""; !l.on {
		return nil
	}
	if l.redact, err = audit.NewRedactor(l.hide...); err != nil {
		return cli.Usagef("--audit-redact: %v", err)
	}
	return nil
}

// record appends one outcome to the log, if there is to be one. A fault of the
// log does not change the answer, which is out already.
func (l *ledger) record(c *cli.Console, o call.Outcome) {
	if !l.on {
		return
	}
	path, err := l.path()
	if err == nil {
		log := audit.New(audit.Options{Path: path, Redact: l.redact})
		if err = log.Append(Record(o)); err == nil {
			err = log.Close()
		} // else what is stuck ends with the process
	}
	if err != nil {
		fmt.Fprintf(c.Err, "pawl: %v\n", err)
	}
}

// path returns where the log is.
func (l *ledger) path() (string, error) {
	if l.file != "" {
		return filepath.Abs(l.file)
	}
	if path := audit.Path(call.Here().StateDir()); path != "" {
		return path, nil
	}
	return "", errors.New("audit: no directory for the log: set HOME or XDG_STATE_HOME, or name a file with --audit-file")
}

// Record returns what the audit log keeps of an outcome.
func Record(o call.Outcome) audit.Record {
	r := audit.Of(&o.Event, &o.Decision, o.Root, o.Took)
	if o.Err != nil {
		r.Error = o.Err.Error()
		if o.Reply.Code == 2 {
			r.Verdict = hook.Deny.String()
		}
	}
	return r
}
