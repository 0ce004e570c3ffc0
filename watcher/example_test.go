package watcher_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/watcher"
)

// An engine whose policy is edited while it runs.
func Example() {
	dir, err := os.MkdirTemp("", "policy")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "pawl.yaml")
	save := func(policy string) {
		draft := filepath.Join(dir, "draft")
		if err := os.WriteFile(draft, []byte(policy), 0o600); err != nil {
			fmt.Println(err)
		}
		if err := os.Rename(draft, file); err != nil { // as most editors do
			fmt.Println(err)
		}
	}
	save("permissions: {deny: ['Bash(rm *)']}\n")

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	eng, err := engine.Open(ctx, file)
	if err != nil {
		fmt.Println(err)
		return
	}
	happened := make(chan watcher.Notice)
	w, err := watcher.New(eng, watcher.WithObserver(func(n watcher.Notice) { happened <- n }))
	if err != nil {
		fmt.Println(err)
		return
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.Run(ctx)
	}()
	tell := func() {
		n := <-happened
		dec := eng.Dispatch(ctx, engine.Event{Name: engine.PreToolUse, Tool: "Bash", Input: engine.Input("command", "git push --force")})
		fmt.Printf("%v, may push: %t\n", n.Kind, dec.Proceed())
	}

	tell()
	save("permissions: {deny: ['Bash(rm *)', 'Bash(git push --force *)']}\n")
	tell()
	save("permissions: {deny: ['Bash(rm *)'\n")
	tell()

	cancel()
	<-ended
	// Output:
	// reloaded, may push: true
	// reloaded, may push: false
	// refused, may push: false
}
