package rules

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	maxRegex     = 1024
	regexTimeout = 50 * time.Millisecond
	regexStack   = 1 << 16
)

// regex is a JavaScript-flavoured, unanchored, case-sensitive regular
// expression: RE2, or a backtracking machine with a time limit where RE2 has
// not got what it uses (look-around, back-references).
type regex struct {
	fast *regexp.Regexp
	slow *regexp2.Regexp
}

func compileRegex(text string) (*regex, error) {
	if len(text) > maxRegex {
		return nil, fmt.Errorf("longer than %d bytes", maxRegex)
	}
	fast, err := regexp.Compile(text)
	if err == nil {
		return &regex{fast: fast}, nil
	}
	slow, err2 := compileSlow(text)
	if err2 != nil {
		return nil, err
	}
	slow.MatchTimeout = regexTimeout
	return &regex{slow: slow}, nil
}

func compileSlow(text string) (re *regexp2.Regexp, err error) {
	defer func() {
		if recover() != nil {
			re, err = nil, errors.New("cannot be compiled")
		}
	}()
	return regexp2.Compile(text, regexp2.ECMAScript, regexp2.OptionMaxBacktrackingStackSize(regexStack))
}

// match is Unknown where the time limit was reached.
func (r *regex) match(s string) (t hook.Tri) {
	if r.fast != nil {
		return hook.TriOf(r.fast.MatchString(s))
	}
	defer func() {
		if recover() != nil {
			t = hook.Unknown
		}
	}()
	ok, err := r.slow.MatchString(s)
	if err != nil {
		return hook.Unknown
	}
	return hook.TriOf(ok)
}
