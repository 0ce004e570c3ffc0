package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// spill stores an INPUT_JSON that is too large for a variable in a file that
// only the user can read. The caller removes it.
func (a *action) spill(input string) (path string, err error) {
	f, err := os.CreateTemp(a.opts.Scratch, "pawl-input-*.json") // mode 0600
	if err != nil {
		return "", err
	}
	_, err = io.WriteString(f, input)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}

// withoutVariables judges an answer that was given without some variables.
// A hook that wants INPUT_JSON has not seen what it was to judge: only an
// answer that stops something counts.
func (a *action) withoutVariables(res hook.Result, err error, leftOut []string, r reader) (hook.Result, error) {
	if slices.Contains(leftOut, "CLAUDE_OUTPUT") && r.reads("CLAUDE_OUTPUT", a.words()) {
		res.Notices = append(res.Notices, "CLAUDE_OUTPUT was left out: the text is larger than 96 KiB; the event on stdin holds it")
	}
	stops := err == nil && (res.Verdict >= hook.Ask || res.Halt)
	if stops || !slices.Contains(leftOut, "INPUT_JSON") || !r.reads("INPUT_JSON", a.words()) {
		return res, err
	}
	const why = "the event is larger than 96 KiB, so INPUT_JSON was left out, and the hook wants it (let it read the event from stdin)"
	failed := &hook.NoVerdict{Cause: hook.CauseAnswer, Err: fmt.Errorf("%s", why), Blocks: true}
	if err != nil {
		n := hook.AsNoVerdict(err)
		failed.Cause, failed.Err = n.Cause, fmt.Errorf("%w; %s", n.Err, why)
	}
	return hook.Result{Context: res.Context, Notices: res.Notices, Log: res.Log, Diagnostics: res.Diagnostics}, failed
}

// words are the texts of the command.
func (a *action) words() []string { return append([]string{a.text}, a.args...) }

const (
	maxScripts = 64      // files looked into for one command
	maxScript  = 1 << 20 // bytes of each
)

// reader looks for a name in a command and in the scripts that it names.
type reader struct {
	dir, home string
	env       []string
}

// reads reports whether the letters of name stand in texts, or in a file that
// they name.
func (r reader) reads(name string, texts []string) bool {
	for _, text := range texts {
		if strings.Contains(text, name) {
			return true
		}
	}
	paths := r.scripts(texts)
	return slices.ContainsFunc(paths[:min(len(paths), maxScripts)], func(path string) bool {
		return strings.Contains(start(path), name)
	})
}

// scripts are the paths that the words of texts may mean. Words are cut at
// blanks and at the shell's own signs; a quoted part is a word too.
func (r reader) scripts(texts []string) (paths []string) {
	for _, text := range texts {
		for _, word := range slices.Concat([]string{text}, cut(text, quotes), cut(text, quotes+" \t\r\n`;|&()<>=,")) {
			if path := r.resolve(word); path != "" && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

const quotes = `"'`

func cut(text, borders string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(borders, c) })
}

// resolve returns the regular file that a word means, or "".
func (r reader) resolve(word string) string {
	word = os.Expand(word, r.value)
	if rest, ok := strings.CutPrefix(word, "~/"); ok {
		word = filepath.Join(r.home, rest)
	}
	path := word
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return path
	}
	if path, err := exec.LookPath(word); err == nil {
		return path
	}
	return ""
}

func (r reader) value(name string) string {
	for _, entry := range r.env {
		if n, v, _ := strings.Cut(entry, "="); n == name {
			return v
		}
	}
	return ""
}

// start returns the beginning of a file, "" if it cannot be read.
func start(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, maxScript))
	return string(b)
}
