package rules

import (
	"os"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/pawl-dev/pawl/engine/hook"
)

// Bounds of what is looked at where a pattern is expanded.
const (
	maxEntries = 1024
	maxGuesses = 128
)

// wordGlob returns a pattern of what an unknown word may be, "" if nothing is
// known of it. whole reports that it is all that the word may be.
func wordGlob(w hook.Word) (glob string, whole bool) {
	text, home := w.Text, ""
	if rest, ok := strings.CutPrefix(text, "~/"); ok && !w.Moved {
		text, home = rest, "~/"
	}
	if strings.ContainsAny(text, "*?[") && !strings.ContainsAny(text, "$`\"'\\(){}<>~\x01\x02 \n") {
		return home + text, true
	}
	if w.Prefix == "" && w.Suffix == "" {
		return "", false
	}
	return escapeName(w.Prefix) + "**" + escapeName(w.Suffix), false
}

// anyPath may be every path, also for guards of what is named.
const anyPath = "/**?"

// flood adds any file at all, once: there is more in the text than is looked
// at.
func (d *finder) flood() {
	if d.flooded {
		return
	}
	d.flooded = true
	p := hook.Path{Access: rw, Command: -1, Reason: "more may be files than is looked at"}
	d.add(p)
	p.Glob = anyPath
	d.add(p)
}

// guess adds what a pattern may be, and the files that it names now.
func (d *finder) guess(glob, given string, access hook.Access) {
	p := hook.Path{Given: given, Access: access, Command: d.index, Reason: given + " may be one of several files", Tree: d.tree}
	if d.guesses++; d.guesses > maxGuesses {
		d.flood()
		return
	}
	at := strings.IndexAny(glob, `*?[\`)
	if at < 0 {
		at = len(glob)
	}
	at = strings.LastIndexByte(glob[:at], '/') + 1
	prefix, rest := glob[:at], glob[at:]
	switch {
	case strings.Contains(rest, "**") && strings.Contains(rest, "..") || strings.Contains(rest, "/../"):
		d.add(p)
		return
	case prefix == "" && d.dir == "":
		p.Glob = "/**/" + rest
		d.add(p)
		return
	case prefix == "":
		prefix = "."
	}
	dir := locate(prefix, d.dir, d.cwd, access, d.index)
	if dir.Clean == "" {
		p.Glob = "/**/" + glob
		d.add(p)
		return
	}
	if d.dotted {
		rest = strings.ReplaceAll(rest, "*", "**")
	}
	for i, base := range [...]string{dir.Clean, dir.Real} {
		if i == 0 || dir.Real != dir.Clean {
			p.Glob = strings.TrimSuffix(escapeName(base), "/") + "/" + rest
			d.add(p)
		}
	}
	d.expand(dir, rest, p)
}

// expand adds the files that a pattern in a directory names now: behind the
// name of a symlink may be any file.
func (d *finder) expand(dir hook.Path, rest string, p hook.Path) {
	if strings.Contains(rest, "**") && !d.dotted {
		return // that of a word: what is not known of it is added elsewhere
	}
	p.Glob = ""
	f, err := os.Open(dir.Real)
	if err != nil {
		return
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxEntries)
	head, _, deeper := strings.Cut(rest, "/")
	if len(entries) == maxEntries || deeper {
		d.add(p)
		return
	}
	for _, e := range entries {
		hidden := e.Name()[0] == '.' && head[0] != '.' && !d.dotted
		if ok, _ := doublestar.Match(head, e.Name()); !ok || hidden {
			continue
		}
		p.Clean = path.Join(dir.Clean, e.Name())
		if p.Real = path.Join(dir.Real, e.Name()); e.Type()&os.ModeSymlink != 0 {
			p.Real, _ = resolveLinks(p.Real, d.cwd)
		}
		d.add(p)
	}
}
