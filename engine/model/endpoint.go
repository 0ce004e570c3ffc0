package model

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/outbound"
)

// maxBody is the most that is read of an answer, in bytes.
const maxBody = 1 << 20

// endpoint is where one declared model is asked.
type endpoint struct {
	spec hook.ModelSpec
	base *url.URL
	http *http.Client
}

// call posts in, which stands for r, as JSON to path below the base, and reads
// the JSON of the answer into out. header names the header that takes the key,
// and what goes before it.
func (e endpoint) call(ctx context.Context, r hook.Request, path string, header map[string]string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return e.fail("%w", err)
	}
	key, err := e.key(r)
	if err != nil {
		return err
	}
	began := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, e.spec.Timeout, fmt.Errorf("the model has %v: %w", e.spec.Timeout, context.DeadlineExceeded))
	defer cancel()
	var sent tries
	for {
		a, err := e.post(ctx, path, header, key, body)
		switch {
		case err != nil:
			return outbound.Failure(ctx, began, e.String(), err)
		case a.status/100 == 2:
			if err := json.Unmarshal(without(a.body, key), out); err != nil {
				return e.fail("the answer cannot be read: %w", err)
			}
			return nil
		}
		wait, again := sent.next(a)
		if !again {
			return e.fail("%s", redact(a.complaint(), key))
		}
		if err := pause(ctx, wait); ctx.Err() != nil {
			return outbound.Failure(ctx, began, e.String(), err)
		} else if err != nil {
			return e.fail("%s; %w", redact(a.complaint(), key), err)
		}
	}
}

// key returns the key, "" for a model that takes none.
func (e endpoint) key(r hook.Request) (string, error) {
	if e.spec.KeyEnv == "" {
		return "", nil
	}
	lookup := e.spec.Env
	if r.Env != nil {
		lookup = r.Env
	}
	if lookup != nil {
		if key, ok := lookup(e.spec.KeyEnv); ok && strings.TrimSpace(key) != "" {
			return strings.TrimSpace(key), nil
		}
	}
	return "", hook.Fail(hook.CauseConfig, "model %s: its key is wanted from the variable %s, which is not set", e.spec.Name, e.spec.KeyEnv)
}

// received is an answer of a server.
type received struct {
	status int
	header http.Header
	body   []byte
}

func (e endpoint) post(ctx context.Context, path string, header map[string]string, key string, body []byte) (received, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.base.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return received{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "pawl")
	for name, value := range header {
		if strings.Contains(value, keyMark) {
			if key == "" {
				continue
			}
			value = strings.ReplaceAll(value, keyMark, key)
		}
		req.Header.Set(name, value)
	}
	resp, err := e.http.Do(req)
	if err != nil {
		return received{}, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if len(data) > maxBody {
		err = fmt.Errorf("the answer is larger than %d bytes", maxBody)
	}
	return received{resp.StatusCode, resp.Header, data}, err
}

// keyMark stands for the key in the value of a header; without a key there is
// no such header.
const keyMark = "\x00"

// complaint says what a server had against a request.
func (a received) complaint() string {
	const most = 300
	var told struct {
		Error struct{ Message string }
	}
	text := string(a.body)
	if json.Unmarshal(a.body, &told) == nil && told.Error.Message != "" {
		text = told.Error.Message
	}
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd"))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	status := fmt.Sprintf("status %d %s", a.status, http.StatusText(a.status))
	switch {
	case a.status/100 == 3:
		return status + ": redirects are not followed (write the address that it leads to)"
	case text == "":
		return status
	}
	return status + ": " + text
}

// String names the model in an error.
func (e endpoint) String() string { return fmt.Sprintf("model %s (%s)", e.spec.Name, e.base.Host) }

func (e endpoint) fail(format string, args ...any) error {
	return hook.Fail(hook.CauseHTTP, "%s: "+format, append([]any{e}, args...)...)
}

// without is an answer without the key: its text may become a reason, which the
// agent reads. A key that short is none, and may be part of any word.
func without(body []byte, key string) []byte {
	const shortest = 8
	if len(key) < shortest {
		return body
	}
	return bytes.ReplaceAll(body, []byte(key), []byte("***"))
}

// redact takes the key out of a text that others wrote.
func redact(text, key string) string {
	if key == "" {
		return text
	}
	return strings.ReplaceAll(text, key, "***")
}
