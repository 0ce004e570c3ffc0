//go:build linux

package command_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// A thousand hooks, one after the other, leave no process, no descriptor and
// no goroutine, whatever they come to.
func TestThousand(t *testing.T) {
	f := newFixture(t)
	f.opts.Environ = func() []string { return append(os.Environ(), "PAWL_MARK="+f.deps.Root) }
	var actions []hook.Action
	for _, pairs := range [][]any{
		{"command", "exit 0"},
		{"command", "sleep 30 >/dev/null 2>&1 & exit 2"},
		{"command", "setsid sleep 30 >/dev/null 2>&1 & exit 0"},
		{"command", "true", "args", []any{}},
		{"command", f.deps.Root + "/not there", "args", []any{"x"}},
	} {
		a, diags := f.make(pairs...)
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		actions = append(actions, a)
	}
	ev := bash(t, "command", "ls")
	open := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	descriptors, goroutines := open(), runtime.NumGoroutine()
	for i := range 1000 {
		actions[i%len(actions)].Run(t.Context(), call(ev)) // what they come to is for other tests
	}
	settled(t, "a process", func() bool { return len(marked(f.deps.Root)) == 0 })
	settled(t, "a descriptor", func() bool { return open() <= descriptors })
	settled(t, "a goroutine", func() bool { return runtime.NumGoroutine() <= goroutines })
}

// settled waits until nothing is left of what.
func settled(t *testing.T, what string, gone func() bool) {
	t.Helper()
	tick, deadline := time.NewTicker(5*time.Millisecond), time.After(5*time.Second)
	defer tick.Stop()
	for !gone() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s is left", what)
		}
	}
}

// marked are the processes that have PAWL_MARK=mark in their environment.
func marked(mark string) (pids []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range all {
		if env, err := os.ReadFile(path); err == nil && bytes.Contains(env, []byte("PAWL_MARK="+mark+"\x00")) {
			pids = append(pids, path)
		}
	}
	return pids
}

// Two hundred hooks that hang and talk all end with their deadline, in bounded
// memory.
func TestManyHang(t *testing.T) {
	f := newFixture(t)
	a, _ := f.make("command", "head -c 100000 /dev/zero; sleep 10")
	ev := bash(t, "command", "ls")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var all sync.WaitGroup
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // starting them takes a while on a busy machine
	defer cancel()
	for range 200 {
		all.Go(func() {
			_, err := a.Run(ctx, call(ev))
			wantCause(t, err, hook.CauseTimeout, false)
		})
	}
	all.Wait()
	late, _ := ctx.Deadline()
	if took := time.Since(late); took > 3*time.Second {
		t.Errorf("the last ended %v after the deadline", took)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 20<<20 {
		t.Errorf("%d bytes are held", grown)
	}
	if grown := after.Sys - before.Sys; grown > 300<<20 {
		t.Errorf("%d bytes were taken", grown)
	}
}

// BenchmarkOverhead tells what a hook costs over the bare start of the same
// script, which takes 20 ms, both in turn; medians of 200.
func BenchmarkOverhead(b *testing.B) {
	const runs = 200
	script := filepath.Join(b.TempDir(), "script.sh")
	if err := os.WriteFile(script, []byte("#!/bin/bash\ncat >/dev/null\nsleep 0.02\necho '{}'\n"), 0o700); err != nil {
		b.Fatal(err)
	}
	f := newFixture(b)
	a, diags := f.make("command", script)
	if len(diags) > 0 {
		b.Fatal(diags)
	}
	ev := hook.Event{Name: hook.PreToolUse, Session: "s", Tool: "Bash", HostTool: "Bash"}
	message := strings.Repeat("x", 300)
	for b.Loop() {
		var bare, hooked []time.Duration
		for range runs {
			began := time.Now()
			cmd := exec.Command("bash", "--noprofile", "--norc", "-c", script)
			cmd.Stdin = strings.NewReader(message)
			if out, err := cmd.Output(); err != nil {
				b.Fatal(string(out), err)
			}
			bare = append(bare, time.Since(began))
			began = time.Now()
			if _, err := a.Run(b.Context(), call(ev)); err != nil {
				b.Fatal(err)
			}
			hooked = append(hooked, time.Since(began))
		}
		x, y := median(bare), median(hooked)
		b.ReportMetric(float64(x)/1e6, "ms-bare")
		b.ReportMetric(float64(y)/1e6, "ms-hook")
		b.ReportMetric(100*(float64(y)/float64(x)-1), "%-overhead")
	}
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}
