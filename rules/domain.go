package rules

import (
	"errors"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// domainRule is the pattern of WebFetch(domain:…): *. in front stands for
// one or more labels, any other * for characters of one label.
type domainRule struct {
	any    bool     // "*": every host
	deep   bool     // began with "*."
	labels []string // from left to right
}

func compileDomain(text string) (domainRule, error) {
	d := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(text)), ".")
	switch {
	case d == "":
		return domainRule{}, errors.New("no domain")
	case len(d) > maxGlob:
		return domainRule{}, errGlobLong
	case strings.ContainsAny(d, "/:@ "):
		return domainRule{}, errors.New("a domain has no scheme, port, path or user")
	case d == "*":
		return domainRule{any: true}, nil
	}
	r := domainRule{}
	d, r.deep = strings.CutPrefix(d, "*.")
	r.labels = strings.Split(d, ".")
	return r, nil
}

// match compares a host in lower case label by label.
func (r *domainRule) match(host string) bool {
	if r.any {
		return host != ""
	}
	rest := host
	for i := len(r.labels) - 1; i >= 0; i-- {
		at := strings.LastIndexByte(rest, '.')
		if !matchLabel(r.labels[i], rest[at+1:]) {
			return false
		}
		if at < 0 {
			return i == 0 && !r.deep
		}
		rest = rest[:at]
	}
	return r.deep && rest != ""
}

// matchLabel matches one label, in which * stands for any characters.
func matchLabel(pattern, label string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == label
	}
	label, ok := strings.CutPrefix(label, head)
	if !ok {
		return false
	}
	for {
		part, more, star := strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(label, part)
		}
		at := strings.Index(label, part)
		if at < 0 {
			return false
		}
		label, rest = label[at+len(part):], more
	}
}

// domainTest asks where the url of the input leads.
type domainTest struct {
	rules []domainRule
}

func (d *domainTest) eval(f *hook.Facts, why *string) hook.Tri {
	host := f.Host()
	if v, _ := f.Event.Input.Get("url"); v == nil {
		say(why, "no url")
		return hook.No
	}
	if oddHost(host) {
		say(why, "the host of the url cannot be told")
		return hook.Unknown
	}
	say(why, "the host is ", host)
	for i := range d.rules {
		if d.rules[i].match(host) {
			return hook.Yes
		}
	}
	return hook.No
}

// oddHost reports that the host of a url cannot be told from its text.
func oddHost(host string) bool {
	return host == "" || strings.IndexFunc(host, func(r rune) bool { return r >= 0x80 || r == '%' }) >= 0
}
