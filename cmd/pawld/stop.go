package main

import (
	"errors"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
	"github.com/pawl-dev/pawl/cmd/internal/cli"
	"github.com/pawl-dev/pawl/cmd/internal/wire"
)

// dialWait is how long a person waits for hello.
const dialWait = 2 * time.Second

func stopCommand() cli.Command {
	return cli.Command{
		Name:   "stop",
		About:  "end the resident engine when its calls have ended",
		Detail: "Calls that run have ten seconds to end; what runs then is ended, and answered as a failure. pawl hook decides by itself from then on.",
		Run: func(c *cli.Console, args []string) error {
			if err := cli.NoArgs(args); err != nil {
				return err
			}
			client, err := dial()
			if err != nil {
				return err
			}
			defer client.Close()
			return client.Stop(30 * time.Second)
		},
	}
}

// dial connects to the engine that runs, of whatever version.
func dial() (*wire.Client, error) {
	client, err := wire.Dial(wire.Dir(call.Here()), nil, dialWait)
	if errors.Is(err, errors.ErrUnsupported) {
		err = errors.New("there is no resident engine on this system yet")
	}
	return client, err
}
