package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

var _ hook.Action = (*action)(nil)

// Run calls the tool and reads its text as the stdout of a command.
func (a *action) Run(ctx context.Context, c hook.Call) (hook.Result, error) {
	ev, line := c.Message()
	texts, err := a.ask(ctx, ev, (&document{raw: line}).fillMap(a.input))
	if err != nil {
		return hook.Result{}, err
	}
	res, err := read(ev.Name, texts)
	return c.Waking(res), err
}

// read reads the first text that a tool answers with. A later one says the same
// in another form; where it says more against the event, that counts.
func read(event hook.EventName, texts []string) (hook.Result, error) {
	res, err := answer.Decode(event, answer.Output{Stdout: []byte(texts[0])})
	for _, text := range texts[1:] {
		if other, wrong := answer.Decode(event, answer.Output{Stdout: []byte(text)}); wrong == nil && other.Verdict > max(res.Verdict, hook.Allow) {
			other.Diagnostics = append(other.Diagnostics, hook.Diagnostic{Severity: hook.Warning,
				Message: "the structured content counts, which is stricter than the text beside it", Advice: "send the same in both"})
			res, err = other, nil
		}
	}
	return res, err
}

// ask returns what the tool answers with: its text, its structured content, or
// both.
func (a *action) ask(ctx context.Context, ev *hook.Event, input map[string]any) ([]string, error) {
	if !a.server.declared {
		text, err := a.borrow(ctx, input)
		return []string{text}, err
	}
	res, err := a.pool.call(ctx, a.server.of(ev), &mcp.CallToolParams{Name: a.tool, Arguments: input})
	if err != nil {
		return nil, err
	}
	texts, err := textsOf(res)
	if res.IsError {
		err = errors.New(firstLine(strings.Join(texts, "\n")))
	}
	if err != nil {
		return nil, hook.Fail(hook.CauseError, "tool %s of server %s failed: %w", a.tool, a.server.name, err)
	}
	return texts, nil
}

// borrow calls a tool of a server that the host lends.
func (a *action) borrow(ctx context.Context, input map[string]any) (string, error) {
	began := time.Now()
	raw, err := json.Marshal(input)
	if err == nil {
		var text string
		if text, err = a.pool.opts.Lend(ctx, a.server.name, a.tool, raw); err == nil {
			return text, nil
		}
	}
	if ctx.Err() != nil {
		return "", hook.OutOfTime(ctx, began)
	}
	return "", hook.Fail(hook.CauseError, "tool %s of server %s failed: %w", a.tool, a.server.name, err)
}

// textsOf are the text of an answer and its structured content, as far as it
// has them. An answer of pictures alone cannot be read; one of nothing is
// silence.
func textsOf(res *mcp.CallToolResult) (texts []string, err error) {
	var parts []string
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			parts = append(parts, text.Text)
		}
	}
	if len(parts) > 0 {
		texts = append(texts, strings.Join(parts, "\n"))
	}
	if res.StructuredContent != nil {
		raw, err := json.Marshal(res.StructuredContent)
		if err != nil {
			return texts, err
		}
		texts = append(texts, string(raw))
	}
	switch {
	case len(texts) > 0:
		return texts, nil
	case len(res.Content) > 0:
		return nil, errors.New("the answer has no text")
	}
	return []string{""}, nil
}

func firstLine(text string) string {
	const most = 500
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if text == "" {
		return "it does not say why"
	}
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// explain returns err as the NoVerdict of a call that began at began.
func (c *conn) explain(ctx context.Context, began time.Time, err error) error {
	const rejected = -32005 // the SDK's: the transport did not take the message
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return hook.OutOfTime(ctx, began)
	}
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok && wire.Code != rejected {
		return hook.Fail(hook.CauseError, "server %s: %s", c.server.name, firstLine(wire.Message))
	}
	c.settle()
	cause := hook.CauseError
	if c.server.url != "" {
		cause = hook.CauseHTTP
	}
	return hook.Fail(cause, "server %s failed during the call: %w%s", c.server.name, withoutURL(err), c.lastWords())
}

// settle waits a moment for a server that is dying, so that its last words are
// there.
func (c *conn) settle() {
	timer := time.NewTimer(500 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-timer.C:
	}
}

// withoutURL returns the inner error of a request: its URL may be a secret.
func withoutURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// withHeaders adds headers to all requests.
type withHeaders struct {
	http.RoundTripper
	headers map[string]string
}

// RoundTrip sends one request.
func (t withHeaders) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	for name, value := range t.headers {
		req.Header.Set(name, value)
	}
	return t.RoundTripper.RoundTrip(req)
}
