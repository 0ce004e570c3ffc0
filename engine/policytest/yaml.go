package policytest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// yamlCase is one case of a file.
type yamlCase struct {
	name  string
	line  int
	turns []yamlTurn
}

// yamlTurn is an event, or a moment of a task or subagent, with what is wanted
// of it.
type yamlTurn struct {
	line   int
	fields []field
	moment *moment
	wants  []want
}

func (y yamlTurn) play(ctx context.Context, w *world) (Turn, error) {
	if y.moment != nil {
		return w.happen(ctx, *y.moment)
	}
	message, err := w.message(y.fields)
	if err != nil {
		return Turn{}, err
	}
	return w.play(ctx, message)
}

// maxFile bounds a test file, in bytes.
const maxFile = 4 << 20

// yamlFile runs the cases of one file. The error is one of the whole file.
func (r *runner) yamlFile(ctx context.Context, name string) error {
	data, err := readFile(name)
	if err != nil {
		return err
	}
	named, cases, err := readCases(data)
	if err != nil {
		return err
	}
	p, err := findPolicy(name, named)
	if err != nil {
		return err
	}
	w, err := r.open(ctx, p) // once before, so that a broken policy is one error
	if err != nil {
		return err
	}
	w.close()
	for _, c := range cases {
		if ctx.Err() != nil {
			return nil
		}
		start := time.Now()
		res := r.yamlCase(ctx, p, c)
		res.File, res.Line, res.Name, res.Duration = name, c.line, c.name, time.Since(start)
		if ctx.Err() == nil { // else what was killed decided
			r.tell(res)
		}
	}
	return nil
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("larger than %d MiB", maxFile>>20)
	}
	return data, err
}

func (r *runner) yamlCase(ctx context.Context, p policy, c yamlCase) Result {
	broken := func(res Result, line int, err error) Result {
		res.Status, res.Problems = Errored, []string{fmt.Sprintf("line %d: %v", line, err)}
		return res
	}
	var res Result
	w, err := r.open(ctx, p)
	if err != nil {
		return broken(res, c.line, err)
	}
	defer w.close()
	res.Status = Passed
	for i, yt := range c.turns {
		t, err := yt.play(ctx, w)
		if err != nil {
			return broken(res, yt.line, err)
		}
		res.Turns = append(res.Turns, t)
		for _, want := range yt.wants {
			if problem := want(w, t); problem != "" {
				res.Status = Failed
				if len(c.turns) > 1 {
					problem = fmt.Sprintf("event %d: %s", i+1, problem)
				}
				res.Problems = append(res.Problems, problem)
			}
		}
		if res.Status == Failed {
			break
		}
	}
	return res
}

// unreadable is an error of the YAML reader, "yaml: line 3: what", as a fault.
func unreadable(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if after, ok := strings.CutPrefix(text, "line "); ok {
		if number, what, ok := strings.Cut(after, ": "); ok {
			if n, err := strconv.Atoi(number); err == nil {
				line, text = n, what
			}
		}
	}
	return faultf(line, "cannot be read as YAML: %s", strings.TrimSpace(text))
}

// readCases reads a file.
func readCases(data []byte) (named string, cases []yamlCase, err error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return "", nil, unreadable(err)
	}
	if len(doc.Content) == 0 {
		return "", nil, faultf(1, "no cases")
	}
	if dec.Decode(&second) == nil {
		return "", nil, faultf(second.Line, "a second document")
	}
	list := doc.Content[0]
	if list.Kind == yaml.MappingNode {
		top, err := members(list, "policy", "cases")
		if err != nil {
			return "", nil, err
		}
		if n := top["policy"]; n != nil {
			if named, err = text(n, "policy"); err != nil {
				return "", nil, err
			}
		}
		if list = top["cases"]; list == nil {
			return "", nil, faultf(1, `missing "cases"`)
		}
	}
	if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return "", nil, faultf(list.Line, "expected a list of cases")
	}
	for _, n := range list.Content {
		c, err := readCase(n)
		if err != nil {
			return "", nil, err
		}
		cases = append(cases, c)
	}
	return named, cases, nil
}
