package resident

import (
	"sync"
	"time"

	"github.com/pawl-dev/pawl/cmd/internal/call"
)

const (
	// rootsFor is how long a workspace that was found counts: not longer than
	// an edited policy takes to settle.
	rootsFor = 100 * time.Millisecond
	maxRoots = 1000
)

// roots remembers which workspaces directories belong to. Looking costs a
// dozen system calls, more than all the rest of an answer.
type roots struct {
	mu    sync.Mutex
	found map[place]found
}

// place is what the workspace of an event depends on, beside files and HOME.
type place struct{ dir, wd, project, state string }

type found struct {
	root   string
	unread []string
	until  time.Time
}

// find is Place.Workspace, as it was a moment ago.
func (r *roots) find(p call.Place, dir string) (root string, unread []string) {
	key := place{dir, p.Dir, p.Getenv("CLAUDE_PROJECT_DIR"), p.StateDir()}
	now := time.Now()
	r.mu.Lock()
	f := r.found[key]
	r.mu.Unlock()
	if now.Before(f.until) {
		return f.root, f.unread
	}
	root, unread = p.Workspace(dir)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.found == nil || len(r.found) >= maxRoots {
		r.found = map[place]found{}
	}
	r.found[key] = found{root, unread, now.Add(rootsFor)}
	return root, unread
}

// forget makes the next find look.
func (r *roots) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found = nil
}
