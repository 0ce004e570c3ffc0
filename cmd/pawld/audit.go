package main

import (
	"log/slog"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/hookcmd"
)

// record returns what puts outcomes into the log, and what ends it. A fault of
// the log changes no answer: it goes to told.
func record(ledger *hookcmd.Ledger, told *slog.Logger) (put func(call.Outcome), end func(), err error) {
	log, err := ledger.Open()
	if err != nil {
		return nil, nil, err
	}
	put = func(o call.Outcome) {
		if err := log.Append(hookcmd.Record(o)); err != nil {
			told.Error("a decision is not recorded", "error", err)
		}
	}
	return put, func() {
		if err := log.Close(); err != nil {
			told.Error("the last decision may not be recorded", "error", err)
		}
	}, nil
}
