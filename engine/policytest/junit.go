package policytest

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// WriteJUnit writes r as build servers read test results: a suite for each
// file. detail says more of what failed than its problems; nil is nothing.
func WriteJUnit(w io.Writer, r Report, detail func(Result) string) error {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	fmt.Fprintf(&b, "<testsuites tests=\"%d\" failures=\"%d\" errors=\"%d\">\n", len(r.Results), r.Failed, r.Errored)
	for rest := r.Results; len(rest) > 0; {
		n := 0
		for n < len(rest) && rest[n].File == rest[0].File {
			n++
		}
		junitSuite(&b, rest[:n], detail)
		rest = rest[n:]
	}
	b.WriteString("</testsuites>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// junitSuite writes the results of one file.
func junitSuite(b *strings.Builder, list []Result, detail func(Result) string) {
	count := map[Status]int{}
	var total time.Duration
	for _, res := range list {
		count[res.Status]++
		total += res.Duration
	}
	fmt.Fprintf(b, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" time=\"%.3f\">\n",
		xmlText(list[0].File), len(list), count[Failed], count[Errored], total.Seconds())
	for _, res := range list {
		name := res.Name
		if name == "" {
			name = "(the file)"
		}
		fmt.Fprintf(b, "    <testcase name=\"%s\" classname=\"%s\" file=\"%s\" line=\"%d\" time=\"%.3f\"",
			xmlText(name), xmlText(res.File), xmlText(res.File), res.Line, res.Duration.Seconds())
		if res.Status == Passed {
			b.WriteString("/>\n")
			continue
		}
		element, text := "failure", ""
		if res.Status == Errored {
			element = "error"
		}
		if detail != nil {
			text = detail(res)
		}
		fmt.Fprintf(b, ">\n      <%s message=\"%s\">%s</%s>\n    </testcase>\n", element, xmlText(strings.Join(res.Problems, "\n")), xmlText(text), element)
	}
	b.WriteString("  </testsuite>\n")
}

// xmlText escapes s for attributes and text; what XML cannot hold becomes U+FFFD.
func xmlText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '\n' || r == '\t' || r == '\r':
			fmt.Fprintf(&b, "&#%d;", r)
		case r < ' ' || r == 0xfffe || r == 0xffff:
			b.WriteRune('\ufffd')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
