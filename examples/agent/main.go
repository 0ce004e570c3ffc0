// Agent is a small but whole agent that embeds Pawl: a model loop with tools,
// permissions, compaction, a plan of tasks, subagents, and a policy that is
// watched while it runs. Without arguments it plays a story with a model that
// is a script, offline.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Getenv); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out *os.File, env func(string) string) error {
	flags := flag.NewFlagSet("agent", flag.ContinueOnError)
	model := flags.String("model", "", "name of a `model` behind -endpoint; without one, a script plays")
	endpoint := flags.String("endpoint", "https://api.openai.com/v1", "`url` that speaks OpenAI's chat completions; AGENT_API_KEY is its key")
	dir := flags.String("dir", ".", "the workspace, with its policy; of a model only")
	trust := flags.Bool("trust", false, "trust the policy of the workspace")
	ask := flags.String("ask", "", "who answers when a person is asked: yes, no, or console; of a story no, else console")
	colour := flags.String("colour", "auto", "auto, always or never")
	width := flags.Int("width", 0, "columns; 0 takes those of the terminal")
	if err := flags.Parse(args); err != nil {
		return err
	}
	terminal := terminalWidth(out)
	columns, _ := strconv.Atoi(env("COLUMNS"))
	screen := &Screen{Out: out, Width: cmp.Or(*width, terminal, columns, 80), Colour: *colour == "always" || *colour == "auto" && terminal > 0 && env("NO_COLOR") == ""}
	lines := bufio.NewScanner(in)
	person, err := asked(cmp.Or(*ask, map[bool]string{true: "no", false: "console"}[*model == ""]), screen, lines)
	if err != nil {
		return err
	}
	if *model == "" {
		return play(ctx, screen, person)
	}
	client := &http.Client{Timeout: 2 * time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	h, err := NewHost(ctx, Options{Dir: *dir, Trust: *trust, Screen: screen, Allow: person, Client: client,
		Model: &Chat{URL: strings.TrimSuffix(*endpoint, "/"), Name: *model, Key: env("AGENT_API_KEY"), Client: client}})
	if err != nil {
		return err
	}
	return errors.Join(converse(ctx, h, strings.Join(flags.Args(), " "), lines), h.Close(ctx))
}

// converse lets a person and the agent talk: the prompt of the command line,
// or one on each line of in.
func converse(ctx context.Context, h *Host, prompt string, in *bufio.Scanner) error {
	a := h.Main()
	if err := a.Start(ctx); err != nil {
		return err
	}
	defer a.End(context.WithoutCancel(ctx), "prompt_input_exit")
	if prompt != "" {
		_, err := a.Turn(ctx, prompt)
		return err
	}
	for in.Scan() {
		if _, err := a.Turn(ctx, in.Text()); err != nil {
			h.screen.Note("error", err.Error())
		}
	}
	return in.Err()
}

// asked returns who answers a question.
func asked(who string, screen *Screen, in *bufio.Scanner) (func(question string) bool, error) {
	switch who {
	case "yes", "no":
		return func(question string) bool {
			screen.Note("person", who+" (by the flag -ask)")
			return who == "yes"
		}, nil
	case "console":
		return func(question string) bool {
			screen.Note("you", question+" [y/N]")
			return in.Scan() && strings.HasPrefix(strings.ToLower(in.Text()), "y")
		}, nil
	}
	return nil, fmt.Errorf("-ask %s: expected yes, no or console", who)
}
