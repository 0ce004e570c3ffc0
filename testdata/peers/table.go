package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

func (t *track) result(n int) result {
	return result{name: t.name, rules: n, ns: t.median(), allocs: t.allocs}
}

// find returns the cell of an engine, nil where it was not measured.
func find(results []result, name string, n int) *result {
	for i := range results {
		if results[i].name == name && results[i].rules == n {
			return &results[i]
		}
	}
	return nil
}

func findRow(rows []kindRow, kind string) kindRow {
	return rows[slices.IndexFunc(rows, func(r kindRow) bool { return r.kind == kind })]
}

// grid writes a row for each engine and a column for each size.
func grid(w io.Writer, title string, results []result, show func(*result) string) {
	fmt.Fprintf(w, "\n%s\n\n| rules |", title)
	for _, n := range sizes {
		fmt.Fprintf(w, " %d |", n)
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("--:|", len(sizes)))
	for _, p := range peers() {
		fmt.Fprintf(w, "| %s |", p.name)
		for _, n := range sizes {
			cell := "–"
			if r := find(results, p.name, n); r != nil {
				cell = show(r)
			}
			fmt.Fprintf(w, " %s |", cell)
		}
		fmt.Fprintln(w)
	}
}

func writePeers(w io.Writer, results []result) {
	grid(w, "Time for one event, its conversion included (median):", results, func(r *result) string { return duration(r.ns) })
	grid(w, "Times as long as Pawl:", results, func(r *result) string {
		return times(r.ns / find(results, pawlName, r.rules).ns)
	})
	grid(w, "Allocations for one event:", results, func(r *result) string { return count(r.allocs) })
	grid(w, "Time to load the policy, once:", results, func(r *result) string { return duration(float64(r.load)) })
}

func writePerKind(w io.Writer, rows []kindRow) {
	fmt.Fprintf(w, "\nDispatch alone by kind of event; each without a match but the last:\n\n")
	fmt.Fprintf(w, "| event | Pawl, %d rules | Pawl, %d rules | allocations | Go index, %[2]d rules | ratio |\n|---|--:|--:|--:|--:|--:|\n", fewRules, manyRules)
	for _, r := range rows {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n",
			r.kind, duration(r.few.ns), duration(r.pawl.ns), count(r.pawl.allocs), duration(r.byHand.ns), times(r.pawl.ns/r.byHand.ns))
	}
}

func writeTargets(w io.Writer, goals []goal) {
	fmt.Fprint(w, "\nTargets:\n\n| ratio | wanted | measured | |\n|---|--:|--:|---|\n")
	for _, g := range goals {
		bound, met := "at most", "missed"
		if g.atLeast {
			bound = "at least"
		}
		if g.met() {
			met = "met"
		}
		fmt.Fprintf(w, "| %s | %s %s | %s | %s |\n", g.what, bound, significant(g.want), significant(g.measured), met)
	}
}

// duration writes ns with three significant digits at most.
func duration(ns float64) string {
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"s", time.Second}, {"ms", time.Millisecond}, {"µs", time.Microsecond}} {
		if ns >= float64(unit.size) {
			return significant(ns/float64(unit.size)) + " " + unit.name
		}
	}
	return significant(ns) + " ns"
}

func times(ratio float64) string { return significant(ratio) + "x" }

func count(n float64) string {
	if n < 0.05 {
		return "0"
	}
	return significant(n)
}

// significant writes two digits, more only before the point.
func significant(f float64) string {
	if f >= 10 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'g', 2, 64)
}
