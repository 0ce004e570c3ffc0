// Startup measures what one call of pawl hook costs, by itself and with a
// resident engine, beside an empty Go program and pawl version: all are built,
// run in turn with the policy that pawl init writes, and the medians compared.
// Run it from the root of the repository.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	event = `{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/tmp","tool_name":"Bash","tool_input":{"command":"ls -la"}}`
	empty = "package main\n\nfunc main() {}\n"
)

func main() {
	runs := flag.Int("n", 200, "runs of each program")
	flag.Parse()
	dir, err := os.MkdirTemp("", "pawl-startup")
	if err != nil {
		log.Fatal(err)
	}
	err = measure(dir, max(*runs, 1))
	if rmErr := os.RemoveAll(dir); err == nil {
		err = rmErr
	}
	if err != nil {
		log.Fatal(err)
	}
}

// program is one that is measured.
type program struct {
	name  string
	argv  []string
	env   []string
	times []time.Duration
}

func measure(dir string, runs int) error {
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte(empty), 0o600); err != nil {
		return err
	}
	for name, what := range map[string]string{"empty": source, "pawl": "./cmd/pawl", "pawld": "./cmd/pawld"} {
		if err := build(filepath.Join(dir, name), what); err != nil {
			return err
		}
	}
	pawl := filepath.Join(dir, "pawl")
	if out, err := exec.Command(pawl, "init", "--agent", "claude", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("pawl init: %w\n%s", err, out)
	}
	policy := filepath.Join(dir, "pawl.yaml")
	env := append(os.Environ(), "XDG_RUNTIME_DIR="+filepath.Join(dir, "run"), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	stop, err := serve(filepath.Join(dir, "pawld"), env)
	if err != nil {
		return err
	}
	defer stop()
	programs := []*program{
		{name: "empty Go program", argv: []string{filepath.Join(dir, "empty")}},
		{name: "pawl version", argv: []string{pawl, "version"}},
		{name: "pawl hook", argv: []string{pawl, "hook", "--config", policy}, env: append(env, "PAWL_DAEMON=off")},
		{name: "pawl hook, asking pawld", argv: []string{pawl, "hook", "--config", policy}, env: env},
	}
	for n := range runs + 5 { // the first five of each only warm the page cache
		for _, p := range programs {
			took, err := p.run()
			if err != nil {
				return err
			}
			if n >= 5 {
				p.times = append(p.times, took)
			}
		}
	}
	least, version := median(programs[0].times), median(programs[1].times)
	for _, p := range programs {
		m := median(p.times)
		fmt.Printf("%-24s %10v  %5.2f of empty  %5.2f of version\n", p.name, m, float64(m)/float64(least), float64(m)/float64(version))
	}
	return asked(filepath.Join(dir, "pawld"), env, runs+5)
}

// asked tells how many calls the resident engine has answered: on a busy
// machine it may be too late with some.
func asked(pawld string, env []string, of int) error {
	c := exec.Command(pawld, "status", "--json")
	c.Env = env
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("pawld status: %w", err)
	}
	var status struct{ Calls int }
	if err := json.Unmarshal(out, &status); err != nil {
		return err
	}
	fmt.Printf("pawld has answered %d of %d calls\n", status.Calls, of)
	return nil
}

// serve starts the resident engine and waits until it is ready.
func serve(pawld string, env []string) (stop func(), err error) {
	c := exec.Command(pawld, "serve")
	c.Env = env
	stderr, err := c.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		c.Process.Signal(os.Interrupt)
		c.Wait()
	}
	if _, err := stderr.Read(make([]byte, 1)); err != nil { // its log begins when it listens
		stop()
		return nil, fmt.Errorf("pawld serve: %w", err)
	}
	go io.Copy(io.Discard, stderr) // ends with pawld
	return stop, nil
}

func build(bin, what string) error {
	out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, what).CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build %s: %w\n%s", what, err, out)
	}
	return nil
}

// run runs p, which must end with code 0, from start to exit.
func (p *program) run() (time.Duration, error) {
	c := exec.Command(p.argv[0], p.argv[1:]...)
	c.Env, c.Stdin = p.env, strings.NewReader(event)
	start := time.Now()
	out, err := c.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", p.name, err, out)
	}
	return time.Since(start), nil
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2].Round(time.Microsecond)
}
