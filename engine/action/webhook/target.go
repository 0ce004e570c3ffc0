package webhook

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// target is a URL, or a pattern of URLs, taken apart. A part that is compared
// is never a stretch of the text: https://a.example@evil.example/ has the host
// evil.example.
type target struct{ scheme, host, port, rest string }

// parseTarget checks the URL of a hook. plain: what is sent can be read on the
// way to another machine.
func parseTarget(text string) (to target, plain bool, err error) {
	if strings.Contains(text, "${") {
		return to, false, errors.New("a variable in a url is not filled in: write the address itself")
	}
	u, err := url.Parse(text)
	if err != nil {
		return to, false, fmt.Errorf("not a URL: %w", errors.Unwrap(err))
	}
	switch host := u.Hostname(); {
	case u.Scheme != "http" && u.Scheme != "https":
		return to, false, fmt.Errorf("expected http:// or https://, got scheme %q", u.Scheme)
	case host == "":
		return to, false, errors.New("the host is missing")
	case u.User != nil:
		return to, false, errors.New("a name or password before the host: send it as a header instead")
	case strings.IndexFunc(host, oddInHost) >= 0:
		return to, false, fmt.Errorf("odd character in the host %q (a host with other letters is written as xn--…)", host)
	case slices.ContainsFunc(strings.FieldsFunc(u.Path, isSlash), isDots):
		return to, false, errors.New("a segment . or .. in the path: write the path that is meant")
	}
	to = target{u.Scheme, canonicalHost(u.Hostname()), portOf(u.Scheme, u.Port()), u.EscapedPath()}
	if to.rest == "" {
		to.rest = "/"
	}
	if u.RawQuery != "" {
		to.rest += "?" + u.RawQuery
	}
	return to, u.Scheme == "http" && !isLocal(to.host), nil
}

func oddInHost(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._:", r))
}

func isSlash(r rune) bool { return r == '/' || r == '\\' }

// isDots reports whether a server may take a segment as a step in the tree;
// some leave out what follows a semicolon.
func isDots(segment string) bool {
	segment, _, _ = strings.Cut(segment, ";")
	return segment == "." || segment == ".."
}

func canonicalHost(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }

func portOf(scheme, port string) string {
	switch {
	case port != "":
		return port
	case scheme == "https":
		return "443"
	}
	return "80"
}

// isLocal reports whether host is this machine or in the network around it,
// as far as its name tells.
func isLocal(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.IsLoopback() || addr.IsPrivate()
	}
	return !strings.Contains(host, ".") || slices.ContainsFunc([]string{".localhost", ".local", ".lan", ".internal"},
		func(suffix string) bool { return strings.HasSuffix(host, suffix) })
}

// pattern is a pattern of URLs, taken apart like them.
type pattern struct {
	scheme, host, port, rest string // port "": the one of the scheme
	valid                    bool   // it has a scheme
}

func readPattern(text string) (p pattern) {
	var after string
	p.scheme, after, p.valid = strings.Cut(strings.TrimSpace(text), "://")
	if text == "*" {
		p.scheme, after, p.valid = "*", "*", true
	}
	end := strings.IndexAny(after, "/?#")
	if end < 0 {
		end = len(after)
	}
	authority, rest := after[:end], after[end:]
	host, port := authority, ""
	if i := strings.LastIndexByte(authority, ':'); i > strings.LastIndexByte(authority, ']') {
		host, port = authority[:i], authority[i+1:]
	}
	switch open := strings.HasSuffix(authority, "*"); {
	case rest == "" && open: // https://* means all of them
		rest = "*"
		port = cmp.Or(port, "*")
	case rest == "":
		rest = "/"
	}
	p.scheme, p.host, p.port, p.rest = strings.ToLower(p.scheme), canonicalHost(strings.Trim(host, "[]")), port, rest
	return p
}

// matches reports whether t is a URL that the pattern allows.
func (t target) matches(text string) bool {
	p := readPattern(text)
	return p.valid && glob(p.scheme, t.scheme) && glob(p.host, t.host) &&
		glob(portOf(t.scheme, p.port), t.port) && glob(p.rest, t.rest)
}

// glob matches s against a pattern in which * stands for any text.
func glob(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	if last == 0 {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1:last] {
		if _, s, ok = strings.Cut(s, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(s, parts[last])
}
