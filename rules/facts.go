package rules

import (
	"net/url"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

func findHost(f *hook.Facts) string { return hostOf(f.Event.Input.Text("url")) }

func findDir(f *hook.Facts) string {
	if f.Event.Dir == "" {
		return ""
	}
	dir, _ := resolveLinks(f.Event.Dir, f.Event.Dir)
	return dir
}

// findCommands reads the shell text or argument array of a shell tool.
func (a *Analyzer) findCommands(f *hook.Facts) hook.Commands {
	ev := &f.Event
	if ev.Tool != "Bash" && ev.Tool != "PowerShell" {
		return hook.Commands{}
	}
	v, ok := ev.Input.Get("command")
	if !ok {
		v, ok = ev.Input.Get("cmd")
	}
	switch v := v.(type) {
	case string:
		if ev.Tool == "PowerShell" {
			return parsePowerShell(v)
		}
		return a.Commands(v)
	case []any:
		if argv, ok := texts(v); ok && ev.Tool == "Bash" {
			return a.parseArgv(argv)
		}
	case nil:
		if !ok {
			return hook.Commands{}
		}
	}
	return hook.Commands{Opaque: true, Unknown: []hook.Doubt{{Reason: "the command is not a text"}}}
}

func texts(list []any) ([]string, bool) {
	out := make([]string, len(list))
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			return nil, false
		}
		out[i] = s
	}
	return out, true
}

// hostOf returns the host of a url in lower case, without port and trailing
// dot; "" where it cannot be told.
func hostOf(text string) string {
	if text == "" {
		return ""
	}
	if host := plainHost(text); host != "" {
		return host
	}
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
}

// plainHost returns the host of a url that needs no parser to find it: a
// scheme, a host in lower case, a path. It is "" for any other text, and does
// not allocate.
func plainHost(text string) string {
	rest, ok := strings.CutPrefix(text, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(text, "http://"); !ok {
			return ""
		}
	}
	host, path, _ := strings.Cut(rest, "/")
	for i := 0; i < len(host); i++ {
		if c := host[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return ""
		}
	}
	for i := 0; i < len(path); i++ {
		if c := path[i]; c <= ' ' || c >= 0x7f || c == '%' {
			return "" // the parser may refuse it
		}
	}
	return strings.TrimSuffix(host, ".")
}
