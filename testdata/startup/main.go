// Startup measures what one call of pawl hook costs beside an empty Go
// program: both are built, run in turn with the policy that pawl init writes, and
// the medians compared. Run it from
// the root of the repository.
package main

import (
	"flag"
	"fmt"
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

func measure(dir string, runs int) error {
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte(empty), 0o600); err != nil {
		return err
	}
	emptyBin, err := build(dir, "empty", source)
	if err != nil {
		return err
	}
	pawlBin, err := build(dir, "pawl", "./cmd/pawl")
	if err != nil {
		return err
	}
	if out, err := exec.Command(pawlBin, "init", "--agent", "claude", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("pawl init: %w\n%s", err, out)
	}
	policy := filepath.Join(dir, "pawl.yaml")
	var emptyTimes, pawlTimes []time.Duration
	for range runs + 5 { // the first five of each only warm the page cache
		e, err := clock(exec.Command(emptyBin))
		if err != nil {
			return err
		}
		p, err := clock(exec.Command(pawlBin, "hook", "--config", policy))
		if err != nil {
			return err
		}
		emptyTimes, pawlTimes = append(emptyTimes, e), append(pawlTimes, p)
	}
	e, p := median(emptyTimes[5:]), median(pawlTimes[5:])
	fmt.Printf("empty Go program  %v\npawl hook         %v\nratio             %.2f\n", e, p, float64(p)/float64(e))
	return nil
}

func build(dir, name, what string) (string, error) {
	bin := filepath.Join(dir, name)
	out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, what).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", what, err, out)
	}
	return bin, nil
}

// clock runs c, which must end with code 0, from start to exit.
func clock(c *exec.Cmd) (time.Duration, error) {
	c.Stdin = strings.NewReader(event)
	start := time.Now()
	out, err := c.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", c.Path, err, out)
	}
	return time.Since(start), nil
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2].Round(time.Microsecond)
}
