package model

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// address reads the base URL of a model.
func address(s hook.ModelSpec) (*url.URL, error) {
	u, err := url.Parse(s.BaseURL)
	switch {
	case err != nil:
		return nil, fmt.Errorf("base_url: not a URL: %w", errors.Unwrap(err)) // the whole may hold a password
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("base_url: expected https://…, got %q", s.BaseURL)
	case u.Hostname() == "":
		return nil, fmt.Errorf("base_url: %q names no host", s.BaseURL)
	case u.User != nil:
		return nil, fmt.Errorf("base_url: a name or password stands in it (put the key into a variable, and name that in key_env)")
	case u.Scheme == "http" && s.KeyEnv != "" && !loopback(u.Hostname()):
		return nil, fmt.Errorf("base_url: the key would go to %s in clear (write https, or leave out key_env)", u.Host)
	}
	return u, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}
