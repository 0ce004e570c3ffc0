package watcher

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// thousand makes 1,000 files of 1 KiB in ten directories.
func thousand(b *testing.B) *folder {
	f := newFolder(b)
	for i := range 1000 {
		name := fmt.Sprintf("d%d/%d.yaml", i%10, i)
		put(b, f.path(name), strings.Repeat("x", 1024))
		f.sources = append(f.sources, name)
	}
	return f
}

// BenchmarkLook is one pass over 1,000 sources; BenchmarkReadAndHash is the
// least that it could cost.
func BenchmarkLook(b *testing.B) {
	sources := thousand(b).Sources()
	b.ReportAllocs()
	for b.Loop() {
		takeLook(context.Background(), sources)
	}
}

func BenchmarkReadAndHash(b *testing.B) {
	sources := thousand(b).Sources()
	for b.Loop() {
		for _, s := range sources {
			data, err := os.ReadFile(s)
			if err != nil {
				b.Fatal(err)
			}
			sha256.Sum256(data)
		}
	}
}

// BenchmarkSave is the time from the save of one of 1,000 sources to the call
// of Reload, with the default 100 ms of quiet.
func BenchmarkSave(b *testing.B) {
	f := thousand(b)
	called := make(chan time.Time, 1)
	t := &instant{f, called}
	w, err := New(t, f.observer)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	<-called
	<-f.done
	var total time.Duration
	n := 0
	for b.Loop() {
		n++
		if err := replace(f.path("d0/0.yaml"), func(temp string) error { return write(temp, fmt.Sprint(n)) }); err != nil {
			b.Fatal(err)
		}
		saved := time.Now()
		total += (<-called).Sub(saved)
		<-f.done
	}
	b.ReportMetric(float64(total.Milliseconds())/float64(n), "ms/save")
}

// instant is a target that reads nothing.
type instant struct {
	*folder
	called chan time.Time
}

func (t *instant) Reload(context.Context, ...string) error {
	t.called <- time.Now()
	return nil
}
