//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package disk

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// TestMain is also the program of the other processes: it counts in the
// directory PAWL_COUNT_IN, PAWL_COUNT times, and prints each number.
func TestMain(m *testing.M) {
	dir := os.Getenv("PAWL_COUNT_IN")
	if dir == "" {
		goleak.VerifyTestMain(m)
	}
	times, _ := strconv.Atoi(os.Getenv("PAWL_COUNT"))
	s, err := Open(dir, nil)
	for i := 0; err == nil && i < times; i++ {
		var sum int
		if sum, err = add(context.Background(), s, 1); err == nil {
			fmt.Println(sum)
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// counting starts a process that counts.
func counting(t *testing.T, dir string, times int) (*exec.Cmd, io.Reader) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "PAWL_COUNT_IN="+dir, "PAWL_COUNT="+strconv.Itoa(times))
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, out
}

func TestProcesses(t *testing.T) {
	const processes, times = 4, 40
	dir := t.TempDir()
	seen := map[string]bool{}
	var all []*exec.Cmd
	var outs []io.Reader
	for range processes {
		c, out := counting(t, dir, times)
		all, outs = append(all, c), append(outs, out)
	}
	for i, c := range all {
		text, _ := io.ReadAll(outs[i])
		if err := c.Wait(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		for _, sum := range strings.Fields(string(text)) {
			if seen[sum] {
				t.Errorf("two processes counted %s", sum)
			}
			seen[sum] = true
		}
	}
	if sum, err := add(t.Context(), open(t, dir), 0); err != nil || sum != processes*times || len(seen) != sum {
		t.Errorf("the counter is %d, %d numbers were seen, want %d; %v", sum, len(seen), processes*times, err)
	}
}

// A process that is killed at any point leaves a whole value and a free lock.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	last := 0
	for round := range 15 {
		c, out := counting(t, dir, 1<<20)
		lines := bufio.NewScanner(out)
		for range 3 + 7*round {
			if !lines.Scan() {
				t.Fatal("it ended by itself")
			}
		}
		c.Process.Kill()
		printed := lines.Text()
		for lines.Scan() {
			printed = lines.Text()
		}
		c.Wait()
		sum, err := add(t.Context(), s, 0)
		if err != nil {
			t.Fatal(err)
		}
		// It may have died between the update and the line.
		if n, _ := strconv.Atoi(printed); sum != n && sum != n+1 || sum <= last {
			t.Fatalf("the counter is %d after %q was printed, it was %d before", sum, printed, last)
		}
		last = sum
	}
}
