package webhook

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

// variables are the $NAME and ${NAME} in a text.
var variables = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)`)
})

// reserved are headers that belong to the connection, or say where the request
// goes.
func reserved() []string {
	return []string{"Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "Te", "Trailer",
		"Accept-Encoding", "Proxy-Authorization", "Proxy-Connection", "Expect"}
}

// readHeaders reads headers and the variables that they may use.
func (a *action) readHeaders(r *hook.FieldReader, layer hook.Layer, deps hook.Deps) {
	names, _ := r.Texts("allowedEnvVars")
	allowed := readLimit(r, varsKey, deps)
	use := map[string]bool{}
	for _, name := range names {
		if variables().FindString("$"+name) != "$"+name {
			r.Warn("allowedEnvVars", fmt.Sprintf("%q is no name of a variable", name), "")
		}
		place := allowed.excludes(layer, func(item string) bool { return item == name })
		if use[name] = place == ""; place != "" {
			r.Warn("allowedEnvVars", fmt.Sprintf("%s stays empty: it is not among the httpHookAllowedEnvVars of %s", name, place), "")
		}
	}
	a.env = func(ev *hook.Event, name string) (value string) {
		switch {
		case !use[name]:
		case ev.Env != nil:
			value, _ = ev.LookupEnv(name)
		case deps.Env != nil:
			value, _ = deps.Env(name)
		}
		return value
	}
	fields := r.Map("headers")
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value, ok := fields[name].(string)
		canonical := http.CanonicalHeaderKey(name)
		switch {
		case !isToken(name):
			r.Fail("headers", fmt.Sprintf("%q is no name of a header", name), "")
		case slices.Contains(reserved(), canonical):
			r.Fail("headers", fmt.Sprintf("%s belongs to the connection", name), "leave it out")
		case seen[canonical]:
			r.Fail("headers", fmt.Sprintf("%s is there twice", canonical), "keep one of them")
		case !ok:
			r.Fail("headers", fmt.Sprintf("%s: expected a string", name), "quote it")
		case hasControl(value):
			r.Fail("headers", fmt.Sprintf("%s: a line break or another control character", name), "write one line")
		}
		seen[canonical] = true
		for _, m := range variables().FindAllStringSubmatch(value, -1) {
			if v := m[1] + m[2]; !slices.Contains(names, v) {
				r.Warn("headers", fmt.Sprintf("%s: %s stays empty: it is not in allowedEnvVars", name, m[0]), "add it there")
			}
		}
		a.headers = append(a.headers, header{canonical, value})
	}
}

// fill returns the headers of the request about ev.
func (a *action) fill(ev *hook.Event) (http.Header, error) {
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}, "User-Agent": {"pawl"}}
	for _, x := range a.headers {
		value := variables().ReplaceAllStringFunc(x.value, func(v string) string { return a.env(ev, strings.Trim(v, "${}")) })
		if hasControl(value) {
			return nil, hook.Fail(hook.CauseHTTP, "header %s: the value of a variable has a line break or another control character", x.name)
		}
		h[x.name] = []string{value}
	}
	return h, nil
}

func isToken(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r))
	}) < 0
}

func hasControl(value string) bool {
	return strings.IndexFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) >= 0
}
