package webhook

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	urlsKey = "allowedHttpHookUrls"
	varsKey = "httpHookAllowedEnvVars"
)

// judges say what is wrong with the lists of what is allowed.
func judges() map[string]func(hook.Setting, hook.Deps) []hook.Diagnostic {
	return map[string]func(hook.Setting, hook.Deps) []hook.Diagnostic{
		urlsKey: func(s hook.Setting, _ hook.Deps) []hook.Diagnostic { return judge(s, patternFault) },
		varsKey: func(s hook.Setting, _ hook.Deps) []hook.Diagnostic { return judge(s, nameFault) },
	}
}

// judge reports the items of a list that allow nothing, by what fault says of
// them.
func judge(s hook.Setting, fault func(item string) string) (diags []hook.Diagnostic) {
	warn := func(path, format string, args ...any) {
		diags = append(diags, hook.Diagnostic{Severity: hook.Warning, Pos: s.Pos, Path: path, Message: fmt.Sprintf(format, args...)})
	}
	list, ok := s.Value.([]any)
	if !ok {
		warn(s.Name, "expected a list of strings: no http hook can be called")
	}
	for i, v := range list {
		path := fmt.Sprintf("%s[%d]", s.Name, i)
		if text, isText := v.(string); !isText {
			warn(path, "expected a string, got %v: no http hook can be called", v)
		} else if why := fault(text); why != "" {
			warn(path, "%q allows nothing: %s", text, why)
		}
	}
	return diags
}

// patternFault says why a pattern of URLs fits none; "" if it may fit some.
func patternFault(pattern string) string {
	if pattern == "*" {
		return ""
	}
	p := readPattern(pattern)
	switch {
	case !p.valid:
		return "expected scheme://host/path, as in https://hooks.example.com/*"
	case !glob(p.scheme, "http") && !glob(p.scheme, "https"):
		return fmt.Sprintf("expected http:// or https://, got scheme %q", p.scheme)
	case p.host == "":
		return "the host is missing"
	case strings.Contains(p.host, "@"):
		return "a url has no name or password before the host"
	case strings.IndexFunc(p.host, func(r rune) bool { return r != '*' && oddInHost(r) }) >= 0:
		return fmt.Sprintf("odd character in the host %q (a host with other letters is written as xn--…)", p.host)
	}
	return ""
}

// nameFault says why an item is the name of no variable.
func nameFault(name string) string {
	if variables().FindString("$"+name) != "$"+name {
		return "it is no name of a variable"
	}
	return ""
}
