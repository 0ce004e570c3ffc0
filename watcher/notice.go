package watcher

// Kind says what happened.
type Kind uint8

const (
	Reloaded Kind = iota + 1 // Reload took the change
	Refused                  // Reload returned an error
	Polling                  // not every directory can be watched: changes are noticed later
	Watching                 // after Polling: all can be watched again
)

func (k Kind) String() string {
	return [...]string{"", "reloaded", "refused", "polling", "watching"}[k]
}

// Notice is what an observer is told. It is the observer's to keep.
type Notice struct {
	Kind    Kind
	Changed []string // Reloaded, Refused: what Reload was called with
	Err     error    // Refused: of Reload; Polling: why
}
