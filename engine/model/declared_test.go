package model_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/model"
)

// A declaration that would send the key astray is refused.
func TestDeclarations(t *testing.T) {
	for base, want := range map[string]string{
		"":                           "",
		"https://models.example/v1":  "",
		"http://localhost:11434/v1":  "",
		"http://[::1]:8080":          "",
		"http://127.8.9.1":           "",
		"http://box.lan:11434/v1":    "in clear",
		"http://localhost.evil.net":  "in clear",
		"http://10.0.0.7":            "in clear",
		"https://me:pw@models.lan":   "a name or password",
		"https:///v1":                "names no host",
		"models.example/v1":          "expected https://",
		"ftp://models.example":       "expected https://",
		"https://models.example:x/v": "invalid port",
	} {
		both(t, func(t *testing.T, provider string) {
			spec := hook.ModelSpec{Name: "m", Provider: provider, Model: "m", BaseURL: base, KeyEnv: "KEY"}
			_, err := clients(t).Providers()[provider](spec)
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%q: %v, want %q", base, err, want)
			}
		})
	}
	// Without a key it may be any server of the local network.
	if _, err := clients(t).Providers()["openai"](hook.ModelSpec{BaseURL: "http://box.lan:11434/v1"}); err != nil {
		t.Error(err)
	}
}

// roundTrip is a func as a transport.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func through(f roundTrip) *http.Client { return &http.Client{Transport: f} }

func answered(status int, body string, header http.Header) *http.Response {
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body))}
}

// The provider's own key goes to its own address alone; a key that is not
// there is a fault of the settings.
func TestKeys(t *testing.T) {
	own := map[string]string{"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
	both(t, func(t *testing.T, provider string) {
		for _, tt := range []struct{ base, keyEnv, variable, wants, host string }{
			{"", "", own[provider], "", "api." + provider + ".com"},
			{"", "", "OTHER", own[provider], ""},
			{"https://x.example", "", own[provider], "", "x.example"},
			{"https://x.example", "MINE", "OTHER", "MINE", ""},
		} {
			var host string
			var keyed bool
			c := model.New(model.Options{Client: through(func(r *http.Request) (*http.Response, error) {
				host, keyed = r.URL.Host, r.Header.Get("Authorization")+r.Header.Get("X-Api-Key") != ""
				return answered(200, hello[provider], nil), nil
			})})
			m, err := c.Providers()[provider](hook.ModelSpec{Name: "guard", Provider: provider, Model: "m", BaseURL: tt.base, KeyEnv: tt.keyEnv,
				Env: func(name string) (string, bool) { return secret, name == tt.variable }})
			if err != nil {
				t.Fatal(err)
			}
			_, err = m.Complete(t.Context(), question)
			switch {
			case tt.wants != "":
				wantCause(t, err, hook.CauseConfig, "the variable "+tt.wants+", which is not set")
			case err != nil:
				t.Error(err)
			}
			if host != tt.host || keyed != (tt.wants == "" && tt.base == "") {
				t.Errorf("%+v: asked %q, with a key: %v", tt, host, keyed)
			}
		}
	})
}

// OpenAI's own models want another name of the limit than the servers that
// copy its API.
func TestLimitNames(t *testing.T) {
	for base, want := range map[string]string{"": `"max_completion_tokens":4096`, "https://x.example/v1": `"max_tokens":4096`} {
		var body []byte
		c := model.New(model.Options{Client: through(func(r *http.Request) (*http.Response, error) {
			body, _ = io.ReadAll(r.Body)
			return answered(200, hello["openai"], nil), nil
		})})
		m, err := c.Providers()["openai"](hook.ModelSpec{Name: "guard", Model: "m", BaseURL: base, Env: func(string) (string, bool) { return "k", true }})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = m.Complete(t.Context(), question); err != nil || !bytes.Contains(body, []byte(want)) {
			t.Errorf("%s, %v; want %s", body, err, want)
		}
	}
}

// A server is left alone for as long as it asks, and no longer.
func TestWaits(t *testing.T) {
	const never = -1
	says := func(text string) func() string { return func() string { return text } }
	in := func(d time.Duration) func() string {
		return func() string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	}
	for name, tt := range map[string]struct {
		status int
		after  func() string
		want   time.Duration
	}{
		"seconds":       {429, says("7"), 7 * time.Second},
		"date":          {503, in(9 * time.Second), 9 * time.Second},
		"past":          {503, in(-time.Hour), 0},
		"nothing":       {429, says(""), time.Second},
		"no number":     {429, says("soon"), time.Second},
		"negative":      {429, says("-5"), time.Second},
		"failed":        {500, says(""), 250 * time.Millisecond},
		"overloaded":    {529, says("3"), 3 * time.Second},
		"not a wait":    {400, says("7"), never},
		"beyond a year": {429, says("99999999999"), never},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start, tries := time.Now(), 0
				c := model.New(model.Options{Client: through(func(*http.Request) (*http.Response, error) {
					if tries++; tries > 1 {
						return answered(200, hello["openai"], nil), nil
					}
					return answered(tt.status, "", http.Header{"Retry-After": {tt.after()}}), nil
				})})
				m, err := c.Providers()["openai"](hook.ModelSpec{Name: "guard", Model: "m", BaseURL: "https://x.example"})
				if err != nil {
					t.Fatal(err)
				}
				_, err = m.Complete(t.Context(), question)
				if waited := time.Since(start); tt.want >= 0 && (err != nil || waited != tt.want) {
					t.Errorf("waited %v, want %v: %v", waited, tt.want, err)
				} else if tt.want < 0 && (err == nil || waited > 0) {
					t.Errorf("waited %v, want none: %v", waited, err)
				}
			})
		})
	}
}

// Nobody waits for a server that is busy when the host has given up.
func TestGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := model.New(model.Options{Client: through(func(*http.Request) (*http.Response, error) {
			return answered(429, "", http.Header{"Retry-After": {"20"}}), nil
		})})
		m, err := c.Providers()["openai"](hook.ModelSpec{Name: "guard", Model: "m", BaseURL: "https://x.example"})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		time.AfterFunc(time.Second, cancel)
		_, err = m.Complete(ctx, question)
		wantCause(t, err, hook.CauseCanceled, "model guard (x.example)")
		if waited := time.Since(start); waited != time.Second {
			t.Errorf("waited %v", waited)
		}
	})
}
