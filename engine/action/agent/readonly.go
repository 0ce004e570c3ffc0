package agent

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	maxLines = 200 // that grep returns
	maxNames = 500 // that glob returns
	maxLine  = 300 // bytes that grep shows of a line
)

// read is the tool of that name.
func read(_ context.Context, u Use) (string, error) {
	w, err := enter(u)
	if err != nil {
		return "", err
	}
	defer w.close()
	name, err := w.rel(u.Input.Text("path"))
	if err != nil {
		return "", err
	}
	text, all, err := w.text(name)
	if err != nil {
		return "", err
	}
	lines := strings.SplitAfter(text, "\n")
	first := min(max(number(u, "offset"), 1), len(lines))
	last := len(lines)
	if limit := number(u, "limit"); limit > 0 {
		last = min(last, first-1+limit)
	}
	var b strings.Builder
	for i := first - 1; i < last; i++ {
		if b.Len()+len(lines[i]) > resultMost-200 && i > first-1 {
			last = i
			break
		}
		b.WriteString(lines[i])
	}
	if first > 1 || last < len(lines) || !all {
		of := fmt.Sprint(len(lines))
		if !all {
			of = "more than " + of
		}
		fmt.Fprintf(&b, "\n[lines %d to %d of %s]", first, last, of)
	}
	return b.String(), nil
}

// number reads a whole number, 0 if there is none.
func number(u Use, name string) int {
	v, _ := u.Input.Get(name)
	n, _ := v.(int)
	return n
}

// grep is the tool of that name.
func grep(ctx context.Context, u Use) (string, error) {
	re, err := regexp.Compile(u.Input.Text("pattern"))
	if err != nil || u.Input.Text("pattern") == "" {
		return "", fmt.Errorf("pattern: expected a regular expression (RE2): %v", err)
	}
	w, err := enter(u)
	if err != nil {
		return "", err
	}
	defer w.close()
	dir, err := w.rel(u.Input.Text("path"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	found, refused := 0, 0
	all, err := w.walk(ctx, dir, func(name string) bool {
		if only := u.Input.Text("glob"); only != "" && !fits(only, name) {
			return true
		}
		text, _, err := w.text(name)
		if err != nil {
			refused++ // a picture, a pipe, or not for us
			return true
		}
		for i, line := range strings.Split(text, "\n") {
			if !re.MatchString(line) {
				continue
			}
			if found++; found > maxLines {
				return false
			}
			fmt.Fprintf(&b, "%s:%d:%s\n", name, i+1, start(line))
		}
		return true
	})
	return listing(&b, all, refused), err
}

// glob is the tool of that name.
func glob(ctx context.Context, u Use) (string, error) {
	pattern := u.Input.Text("pattern")
	if pattern == "" {
		return "", fmt.Errorf("pattern: missing")
	}
	w, err := enter(u)
	if err != nil {
		return "", err
	}
	defer w.close()
	var b strings.Builder
	found := 0
	all, err := w.walk(ctx, ".", func(name string) bool {
		if !fits(pattern, name) {
			return true
		}
		if found++; found > maxNames {
			return false
		}
		fmt.Fprintln(&b, name)
		return true
	})
	return listing(&b, all, 0), err
}

// listing is what was found, with what it lacks.
func listing(b *strings.Builder, all bool, refused int) string {
	if b.Len() == 0 {
		b.WriteString("nothing found\n")
	}
	if refused > 0 {
		fmt.Fprintf(b, "[%d files are no texts, or may not be read]\n", refused)
	}
	if !all {
		b.WriteString("[there is more: look for something narrower]\n")
	}
	return b.String()
}

// start is the start of a long line.
func start(line string) string {
	line = strings.TrimRight(line, "\r")
	if len(line) <= maxLine {
		return line
	}
	cut := maxLine
	for !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut] + "…"
}
