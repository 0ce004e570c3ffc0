package hookcmd

import (
	"fmt"
	"path/filepath"

	"github.com/pawl-dev/pawl/cmd/internal/audit"
	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/engine/hook"
)

// Ledger is where calls are recorded.
type Ledger struct {
	file string
	hide []string
}

// Flags are those that say so.
func (l *Ledger) Flags() []cli.Flag {
	return []cli.Flag{
		cli.Text(&l.file, "audit-file", "FILE", "the audit log to record in (default: the one that pawld log shows)"),
		cli.List(&l.hide, "audit-redact", "REGEXP", "hide in the record what this matches, or its groups; may be given again"),
	}
}

// AuditFile is where the log of this user is; "" if there is no place for it.
func AuditFile() string { return audit.Path(call.Here().StateDir()) }

// Open returns the log. It touches no file, and fails for a flag only.
func (l *Ledger) Open() (*audit.Log, error) {
	redact, err := audit.NewRedactor(l.hide...)
	if err != nil {
		return nil, cli.Usagef("--audit-redact: %v", err)
	}
	return audit.New(audit.Options{Path: l.path(), Redact: redact}), nil
}

func (l *Ledger) path() string {
	if l.file != "" {
		return l.file
	}
	return AuditFile()
}

// Path is where Open records, as every process can read it; "" if that cannot
// be told.
func (l *Ledger) Path() string {
	path, err := filepath.Abs(l.path())
	if err != nil || l.path() == "" {
		return ""
	}
	return path
}

// openLog opens the log if this call is to be recorded.
func (h *hookCall) openLog(getenv func(string) string) (err error) {
	switch getenv("PAWL_AUDIT") {
	case "", "0", "false":
	default:
		h.audit = true
	}
	if h.audit || h.ledger.file != "" {
		h.log, err = h.ledger.Open()
	}
	return err
}

// record appends what the call came to, if that is wanted. A fault of the log
// does not change the answer, which is out already.
func (h *hookCall) record(c *cli.Console, o call.Outcome) {
	if h.log == nil {
		return
	}
	err := h.log.Append(Record(o))
	if err == nil {
		err = h.log.Close()
	} // else what is stuck ends with the process
	if err != nil {
		fmt.Fprintf(c.Err, "pawl: %v\n", err)
	}
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
