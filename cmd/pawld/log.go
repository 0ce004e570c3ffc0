package main

import (
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/cmd/internal/hookcmd"
	"github.com/pawl-dev/pawl/cmd/internal/logview"
)

func logCommand() cli.Command { return logview.Command(hookcmd.AuditFile) }
