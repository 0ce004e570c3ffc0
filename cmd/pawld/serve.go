package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/cmd/internal/hookcmd"
	"github.com/pawl-dev/pawl/cmd/internal/resident"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
)

const serveDetail = `Runs in the foreground until a signal or "pawld stop" ends it, and logs to standard error. While it runs, pawl hook asks it instead of reading the policies anew at each call; the answers are the same. Policies may be edited meanwhile: what is saved is in force a moment later.

Decisions are recorded in a log, without the secrets that rules can tell; "pawld log" shows it.

With --http it also listens for http hooks of agents: POST an event to /hook. The token that they must send as "Authorization: Bearer …" is in the file http-token of the runtime directory, which is pawl in XDG_RUNTIME_DIR, else run in the state directory.`

func serveCommand() cli.Command {
	var address string
	var verbose, silent bool
	var ledger hookcmd.Ledger
	return cli.Command{
		Name:   "serve",
		About:  "run the resident engine",
		Detail: serveDetail,
		Flags: append([]cli.Flag{
			cli.Text(&address, "http", "ADDRESS", "listen for http hooks too, on a loopback address such as 127.0.0.1:0"),
			cli.Switch(&verbose, "verbose", "log each client that is sent away"),
			cli.Switch(&silent, "no-audit", "record no decisions"),
		}, ledger.Flags()...),
		Run: func(c *cli.Console, args []string) error {
			if err := cli.NoArgs(args); err != nil {
				return err
			}
			// Where nobody reads the log any more, writing it would end the server.
			signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
			level := slog.LevelInfo
			if verbose {
				level = slog.LevelDebug
			}
			log := slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: level, ReplaceAttr: short}))
			put, end, err := record(&ledger, log)
			if err != nil {
				return err
			}
			defer end()
			file := ledger.Path()
			if silent {
				put, file = nil, ""
			}
			ctx, done := cli.Interruptible(context.Background())
			defer context.AfterFunc(ctx, done)() // a second signal ends it at once
			defer done()
			err = resident.Run(ctx, resident.Options{
				Dir:     wire.Dir(call.Here()),
				Version: wire.Version(),
				Log:     log,
				Record:  put,
				Ledger:  file,
				HTTP:    address,
				Engine:  linked(),
			})
			if errors.Is(err, errors.ErrUnsupported) {
				err = errors.New("there is no resident engine on this system yet")
			}
			return err
		},
	}
}

// short cuts what hooks have to say for the log.
func short(_ []string, a slog.Attr) slog.Attr {
	const most = 2000
	if a.Value.Kind() == slog.KindString && len(a.Value.String()) > most {
		a.Value = slog.StringValue(strings.ToValidUTF8(a.Value.String()[:most], "") + "…")
	}
	return a
}
