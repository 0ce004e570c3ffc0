package rules

import (
	"errors"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// maxGlob bounds the length of a glob, maxBraces its alternatives: doublestar
// takes exponential time in both.
const (
	maxGlob   = 256
	maxBraces = 8
)

var (
	errGlobLong = errors.New("longer than 256 bytes")
	errGlobBad  = errors.New("not a valid pattern: a [ without ], or a \\ at the end")
	errGlobVoid = errors.New("empty")
	errGlobNot  = errors.New("starts with # or !, which have no meaning in a single pattern; write \\# or \\!")
)

// ignore is one line of gitignore syntax. It agrees with git check-ignore.
type ignore struct {
	glob     string // for doublestar; braces escaped, which gitignore lacks
	anchored bool   // has a slash: the whole path, else any one segment
	dirOnly  bool   // had a trailing slash
	plain    bool   // no wildcards: compare
}

// parseIgnore reads one pattern. What it refuses, git ignores or never matches.
func parseIgnore(text string) (ignore, error) {
	p := trimTrailingSpace(text)
	switch {
	case p == "" || p == "/":
		return ignore{}, errGlobVoid
	case len(p) > maxGlob:
		return ignore{}, errGlobLong
	case p[0] == '#' || p[0] == '!':
		return ignore{}, errGlobNot
	}
	var ig ignore
	if strings.HasSuffix(p, "/") {
		ig.dirOnly = true
		p = p[:len(p)-1]
	}
	ig.anchored = strings.Contains(p, "/")
	p = strings.TrimPrefix(p, "/")
	glob, err := translateGlob(p)
	if err != nil {
		return ignore{}, err
	}
	// Things inside a directory, not the directory itself.
	if glob == "**" && ig.anchored || strings.HasSuffix(glob, "/**") {
		glob += "/*"
	}
	ig.glob, ig.plain = glob, !strings.ContainsAny(glob, `*?[\`)
	if !doublestar.ValidatePattern(glob) {
		return ignore{}, errGlobBad
	}
	return ig, nil
}

// trimTrailingSpace removes trailing spaces that are not escaped.
func trimTrailingSpace(s string) string {
	for strings.HasSuffix(s, " ") && !strings.HasSuffix(s, `\ `) {
		s = s[:len(s)-1]
	}
	return s
}

// match reports whether the pattern covers rel, a clean path relative to the
// anchor: rel itself or a directory above it.
func (ig *ignore) match(rel string, isDir bool) bool {
	for start, end := 0, 0; end < len(rel); start = end + 1 {
		end = len(rel)
		if i := strings.IndexByte(rel[start:], '/'); i >= 0 {
			end = start + i
		}
		if ig.dirOnly && end == len(rel) && !isDir {
			return false
		}
		part := rel[start:end]
		if ig.anchored {
			part = rel[:end]
		}
		if ig.matchOne(part) {
			return true
		}
	}
	return false
}

func (ig *ignore) matchOne(part string) bool {
	if ig.plain {
		return part == ig.glob
	}
	return doublestar.MatchUnvalidated(ig.glob, part)
}

// lower is the pattern for paths in lower case.
func (ig ignore) lower() ignore {
	ig.glob = strings.ToLower(ig.glob)
	return ig
}
