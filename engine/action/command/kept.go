package command

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// mark is a word of the command itself and the file that it names, "" if that
// is not certain.
type mark struct {
	from, to int
	path     string
}

// mark notes a word that stands in the command itself.
func (s *search) mark(w word) {
	if w.to == 0 || s.level > 0 || w.open || w.glob || w.text == "" {
		return
	}
	s.marks = append(s.marks, mark{w.from, w.to, s.means(w.text)})
}

// means returns the one file that a word can mean, or "".
func (s *search) means(text string) string {
	places := s.places(text)
	switch there := s.there(places); {
	case len(there) == 1:
		return there[0]
	case len(there) == 0 && len(places) > 0:
		return places[0]
	}
	return ""
}

// inForce is the command that is run: a, or if a file that it runs is not what
// was accepted, a with the copies kept in the place of these files. changed are
// the files that differ. Who makes the look at the files slow does not get round
// it: a hook that is out of time meanwhile blocks.
func (a *action) inForce(ctx context.Context) (run *action, changed []string, err error) {
	if a.deps.Copies == nil {
		return a, nil, nil
	}
	looked := make(chan look, 1)
	go func() { looked <- a.look() }() // ends by itself: what it reads is bounded
	select {
	case l := <-looked:
		return l.run, l.changed, l.err
	case <-ctx.Done():
		return nil, nil, blocked("it cannot be told in time whether what it runs is as it was accepted")
	}
}

// look is what inForce finds.
type look struct {
	run     *action
	changed []string
	err     error
}

func (a *action) look() (l look) {
	defer func() {
		if p := recover(); p != nil {
			l.err = blocked("the look at what it runs panicked: %v", p)
		}
	}()
	l.run, l.changed, l.err = a.accepted()
	return l
}

func (a *action) accepted() (run *action, changed []string, err error) {
	was, files := a.scan(a.deps.Kept), map[string]bool{}
	maps.Copy(files, was.runs)
	maps.Copy(files, a.scan(nil).runs)
	come := len(files) > len(was.runs) // what has come would run too
	copies, err := a.deps.Copies(slices.Sorted(maps.Keys(files)))
	switch {
	case err != nil:
		return nil, nil, blocked("%w", err)
	case len(copies.Run) == 0:
		return a, nil, nil
	}
	run = a.with(was, copies.Run)
	for path := range run.scan(a.deps.Kept).runs {
		if files[path] && (come || slices.Contains(copies.Changed, path)) {
			return nil, nil, blocked("%s is not as it was accepted, and it cannot be told how to put what it was in its place here (put the file back, or accept the change)", path)
		}
	}
	return run, copies.Changed, nil
}

// blocked is the failure of a hook that would run what nobody has accepted.
func blocked(format string, args ...any) error {
	n := hook.Fail(hook.CauseConfig, format, args...)
	n.Blocks = true
	return n
}

// with is a with other files in the place of those that its words name.
func (a *action) with(s *search, files map[string]string) *action {
	b := *a
	b.copies = slices.Sorted(maps.Values(files))
	if a.exec {
		b.args = nil
		for i, w := range a.words(s) {
			if file, ok := files[s.means(w.text)]; ok && (i > 0 || strings.Contains(w.text, "/")) {
				w.text = file
			}
			if i == 0 {
				b.text = w.text
			} else {
				b.args = append(b.args, w.text)
			}
		}
		return &b
	}
	slices.SortFunc(s.marks, func(x, y mark) int { return cmp.Compare(y.from, x.from) })
	for _, m := range s.marks {
		if file, ok := files[m.path]; ok {
			b.text = b.text[:m.from] + "'" + strings.ReplaceAll(file, "'", `'\''`) + "'" + b.text[m.to:]
		}
	}
	return &b
}

// ofCopies tells that an answer is that of kept copies. If they fail, it may
// be because they are not where they were, so that nothing can be concluded.
func ofCopies(res hook.Result, err error, changed []string) (hook.Result, error) {
	names := make([]string, len(changed))
	for i, path := range changed {
		names[i] = filepath.Base(path)
	}
	what := "ran as it was accepted, which is not what is there now: " + strings.Join(names, ", ")
	if err != nil {
		failed := *hook.AsNoVerdict(err)
		failed.Blocks, failed.Err = true, fmt.Errorf("%w (%s)", failed.Err, what)
		return res, &failed
	}
	res.Diagnostics = append(res.Diagnostics, hook.Diagnostic{Severity: hook.Note, Message: what})
	return res, nil
}
