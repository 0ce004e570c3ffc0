package outbound

import (
	"net/http"
	"strconv"
	"time"
)

// RetryAfter is how long a server asks to wait, by the header of that name;
// -1 if it does not.
func RetryAfter(h http.Header) time.Duration {
	const longest = 365 * 24 * time.Hour
	text := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, int(longest/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(0, time.Until(at)), longest)
	}
	return -1
}
