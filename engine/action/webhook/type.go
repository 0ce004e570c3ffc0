package webhook

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/outbound"
)

// maxRetries is the most that `retries` may ask for.
const maxRetries = 10

// Options are what a host may choose for all http hooks. The zero Options are
// fine.
type Options struct {
	// TLS holds roots and certificates of the host's own. nil: the system's.
	TLS *tls.Config
}

// Type returns the hook type http. Its Close ends idle connections; hooks may
// still run afterwards.
func Type(opts Options) hook.Type {
	client := outbound.Client(outbound.Options{TLS: opts.TLS})
	return hook.Type{
		New: func(spec hook.Spec, deps hook.Deps) (hook.Action, []hook.Diagnostic) {
			return newAction(client, spec, deps)
		},
		Settings: judges(),
		Close: func(context.Context) error {
			client.CloseIdleConnections()
			return nil
		},
	}
}

// action is one hook that sends the event to a server.
type action struct {
	client  *http.Client
	method  string
	url     string
	headers []header
	env     func(ev *hook.Event, name string) string // "" for what headers may not use
	retries int
	refused string // why the URL may not be called, or ""
}

// header is one header as written.
type header struct{ name, value string }

func newAction(client *http.Client, spec hook.Spec, deps hook.Deps) (hook.Action, []hook.Diagnostic) {
	r := spec.Read()
	a := &action{client: client, url: r.MustText("url"), method: readMethod(r)}
	a.readTarget(r, spec.Source.Layer, deps)
	a.readHeaders(r, spec.Source.Layer, deps)
	a.retries = r.Int("retries")
	switch {
	case a.retries < 0 || a.retries > maxRetries:
		r.Fail("retries", fmt.Sprintf("expected 0 to %d, got %d", maxRetries, a.retries), "")
	case a.retries > 0 && !spec.Async:
		a.retries = 0
		r.Warn("retries", "has no effect: somebody waits for the answer", "add async: true, or leave it out")
	}
	return a, r.Done()
}

func readMethod(r *hook.FieldReader) string {
	methods := []string{http.MethodPost, http.MethodPut, http.MethodPatch}
	method := strings.ToUpper(r.Text("method"))
	if method == "" {
		return http.MethodPost
	}
	if !slices.Contains(methods, method) {
		r.Fail("method", fmt.Sprintf("expected one of %v, got %q", methods, method), "the event is the body of the request")
	}
	return method
}

// readTarget checks the URL, and whether the settings allow it.
func (a *action) readTarget(r *hook.FieldReader, layer hook.Layer, deps hook.Deps) {
	to, plain, err := parseTarget(a.url)
	if a.url == "" {
		return
	}
	if err != nil {
		r.Fail("url", err.Error(), "")
		return
	}
	if plain {
		r.Warn("url", "http to another machine: the event and its headers can be read on the way", "use https")
	}
	allowed := readLimit(r, urlsKey, deps)
	if place := allowed.excludes(layer, to.matches); place != "" {
		a.refused = fmt.Sprintf("the URL is not among the allowedHttpHookUrls of %s", place)
		r.Warn("url", "is not called: it is not among the allowedHttpHookUrls of "+place, "")
	}
}
