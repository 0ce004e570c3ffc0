package main

import (
	"log/slog"
	"path/filepath"

	"github.com/pawl-dev/pawl/cmd/internal/audit"
	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/cmd/internal/hookcmd"
)

// ledger says how serve records what it decides.
type ledger struct {
	off  bool
	file string
	hide []string
}

func (l *ledger) flags() []cli.Flag {
	return []cli.Flag{
		cli.Switch(&l.off, "no-audit", "record no decisions"),
		cli.Text(&l.file, "audit-file", "FILE", "record them in FILE (default: the log that pawld log shows)"),
		cli.List(&l.hide, "audit-redact", "REGEXP", "hide in the records what this matches, or its groups; may be given again"),
	}
}

// auditFile is where the log of this user is.
func auditFile() string { return audit.Path(call.Here().StateDir()) }

// open returns what records an outcome, nil for nothing, and what ends it. A
// fault of the log goes to told; it changes no answer.
func (l *ledger) open(told *slog.Logger) (record func(call.Outcome), end func(), err error) {
	redact, err := audit.NewRedactor(l.hide...)
	if err != nil {
		return nil, nil, cli.Usagef("--audit-redact: %v", err)
	}
	path := auditFile()
	if l.file != "" {
		if path, err = filepath.Abs(l.file); err != nil {
			return nil, nil, err
		}
	}
	if l.off || path == "" {
		if !l.off {
			told.Error("decisions are not recorded: no directory for the log; set HOME or XDG_STATE_HOME")
		}
		return nil, func() {}, nil
	}
	log := audit.New(audit.Options{Path: path, Redact: redact})
	record = func(o call.Outcome) {
		if err := log.Append(hookcmd.Record(o)); err != nil {
			told.Error("a decision is not recorded", "error", err)
		}
	}
	return record, func() {
		if err := log.Close(); err != nil {
			told.Error("the last decision may not be recorded", "error", err)
		}
	}, nil
}
