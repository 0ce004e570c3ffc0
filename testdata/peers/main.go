// Peers runs one policy and one stream of events through Pawl, through other
// policy engines and through plain Go written by hand, all in one process and
// in turn, and prints the ratios as Markdown. README.md says what may be read
// from them.
//
//	rule     one line of the policy, in a form that every engine can express
//	event    one call of a tool
//	peer     an engine, with the way to load the policy into it
//	decider  a peer with a policy loaded: event in, verdict out
//	track    a decider that is being timed, and its samples
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
)

// sizes are the numbers of rules that are compared.
var sizes = []int{1, 10, 100, 1000, 10_000}

func main() {
	rounds := flag.Int("rounds", 41, "samples of each engine; the median counts")
	flag.Parse()
	if err := report(os.Stdout, max(*rounds, 1)); err != nil {
		log.Fatal(err)
	}
}

// report measures everything and writes the tables as they are ready.
func report(w io.Writer, rounds int) error {
	var results []result
	for _, n := range sizes {
		fmt.Fprintf(os.Stderr, "%d rules\n", n)
		r, err := compare(n, rounds)
		if err != nil {
			return err
		}
		results = append(results, r...)
	}
	writePeers(w, results)
	byKind, err := perKind(rounds)
	if err != nil {
		return err
	}
	writePerKind(w, byKind)
	goals, err := targets(results, byKind, rounds)
	if err != nil {
		return err
	}
	writeTargets(w, goals)
	return writeKernel(w, results, rounds)
}
