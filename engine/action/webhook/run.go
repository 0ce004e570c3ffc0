package webhook

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/outbound"
)

var _ hook.Action = (*action)(nil)

// Run sends the event and reads the answer.
func (a *action) Run(ctx context.Context, c hook.Call) (hook.Result, error) {
	if a.refused != "" {
		return hook.Result{}, hook.Fail(hook.CauseHTTP, "not called: %s", a.refused)
	}
	ev, line := c.Message()
	headers, err := a.fill(ev)
	if err != nil {
		return hook.Result{}, err
	}
	if a.retries > 0 {
		headers.Set("Idempotency-Key", rand.Text())
	}
	res, err := a.persist(ctx, ev.Name, headers, line)
	return c.Waking(res), err
}

// post sends the event once.
func (a *action) post(ctx context.Context, event hook.EventName, headers http.Header, line []byte) (hook.Result, error) {
	began := time.Now()
	req, err := http.NewRequestWithContext(ctx, a.method, a.url, bytes.NewReader(line))
	if err != nil {
		return hook.Result{}, outbound.Failure(ctx, began, "making the request", err)
	}
	req.Header = headers
	resp, err := a.client.Do(req)
	if err != nil {
		return hook.Result{}, passing{outbound.Failure(ctx, began, "no answer", err), -1}
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return refusal(resp)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return hook.Result{}, outbound.Failure(ctx, began, "reading the body of the answer", err)
	}
	return read(event, resp.Header, body)
}

// refusal is a status that is no success. Its body is for the log.
func refusal(resp *http.Response) (hook.Result, error) {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, logMost)) // what there is
	res := hook.Result{Log: excerpt(body)}
	text := fmt.Sprintf("status %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	if to, err := resp.Location(); err == nil {
		text += fmt.Sprintf(", to %s://%s: redirects are not followed, write that address", to.Scheme, to.Host)
	}
	failed := hook.Fail(hook.CauseHTTP, "%s", text)
	switch resp.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return res, passing{failed, outbound.RetryAfter(resp.Header)}
	}
	return res, failed
}

// read reads the body of a success. What is neither the JSON object nor the
// plain text that it says it is gives no answer: a page to log in is no silence.
func read(event hook.EventName, h http.Header, body []byte) (hook.Result, error) {
	if text := bytes.TrimSpace(body); len(text) == 0 || string(text) == "null" { // what a handler that returns nothing answers
		return hook.Result{}, nil
	}
	res, err := answer.DecodeBody(event, body)
	odd := oddity(h, body, err)
	switch {
	case odd == "":
		return res, err
	case err == nil && (res.Verdict >= hook.Ask || res.Halt):
		return hook.Result{Verdict: res.Verdict, Reason: res.Reason, Halt: res.Halt, StopReason: res.StopReason, Notices: res.Notices,
			Diagnostics: append(res.Diagnostics, hook.Diagnostic{Severity: hook.Warning,
				Message: odd + "; the answer counts because it tightens",
				Advice:  "send application/json"})}, nil
	}
	return hook.Result{Log: excerpt(body)}, hook.Fail(hook.CauseHTTP, "%s, expected a JSON object as application/json", odd)
}

// oddity says what is not as it should be about a body, which is read already:
// err is what was wrong with an object.
func oddity(h http.Header, body []byte, err error) string {
	contentType, encoding := h.Get("Content-Type"), h.Get("Content-Encoding")
	kind, _, bad := mime.ParseMediaType(contentType)
	switch {
	case encoding != "" && !strings.EqualFold(encoding, "identity"):
		return fmt.Sprintf("the content encoding of the answer is %q, which nobody has asked for", encoding)
	case contentType == "", kind == "text/plain":
		if err == nil && !utf8.Valid(body) {
			return "the answer is not a text"
		}
	case bad != nil || !strings.HasSuffix(kind, "/json") && !strings.HasSuffix(kind, "+json"):
		return fmt.Sprintf("the content type of the answer is %q", contentType)
	case err == nil && !bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n\xef\xbb\xbf"), []byte("{")):
		return fmt.Sprintf("the answer starts with %.20q", bytes.TrimSpace(body))
	}
	return ""
}

// excerpt is the start of a body, for the log.
func excerpt(body []byte) string {
	return strings.ToValidUTF8(strings.TrimSpace(string(body[:min(len(body), logMost)])), "\ufffd")
}

const logMost = 4096 // bytes of a body that is no answer

// passing is a failure that may be over soon.
type passing struct {
	*hook.NoVerdict
	after time.Duration // what the server asks for; -1: nothing
}

func (p passing) Unwrap() error { return p.NoVerdict }
