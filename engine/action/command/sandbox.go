package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/process"
)

// Sandbox is what a confined command may reach beside programs and libraries
// of the system, which it may read, and a directory for temporary files of its
// own.
type Sandbox struct {
	Network bool
	Mounts  []Mount
	Home    string // of the user; what is in it is not there, but for Mounts
}

// Mount is a file or directory that a confined command sees at Path: what is
// at Source, both absolute. Of two of which one is in the other, the inner one
// counts for what is below it.
type Mount struct {
	Path, Source string
	Write        bool
}

// limits are a sandbox as an entry has it.
type limits struct {
	network     bool
	read, write []string
}

// readLimits reads sandbox: true, or what it may do. nil is no sandbox.
func readLimits(r *hook.FieldReader, spec hook.Spec) *limits {
	at := slices.IndexFunc(spec.Fields, func(f hook.Field) bool { return f.Name == "sandbox" })
	if at < 0 {
		return nil
	}
	keys, ok := spec.Fields[at].Value.(map[string]any)
	if !ok {
		if r.Bool("sandbox") {
			return &limits{}
		}
		return nil
	}
	r.Map("sandbox")
	l := &limits{}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		switch key {
		case "network":
			if l.network, ok = keys[key].(bool); !ok {
				r.Fail("sandbox", fmt.Sprintf("network: expected true or false, got %v", keys[key]), "")
			}
		case "read":
			l.read = readPaths(r, key, keys[key])
		case "write":
			l.write = readPaths(r, key, keys[key])
		default:
			r.Fail("sandbox", fmt.Sprintf("unknown key %q", key),
				cmp.Or(hook.DidYouMean(key, []string{"network", "read", "write"}), "one of network, read, write"))
		}
	}
	return l
}

// readPaths reads a list of paths. They are no patterns: what does not exist
// cannot be read anyway, and nobody would see why.
func readPaths(r *hook.FieldReader, key string, v any) []string {
	list, _ := v.([]any)
	paths := make([]string, len(list))
	for i, item := range list {
		paths[i], _ = item.(string)
	}
	if v != nil && list == nil || slices.Contains(paths, "") || strings.Contains(strings.Join(paths, ""), "\x00") {
		r.Fail("sandbox", key+": expected a list of paths", "write "+key+": [build, ~/.cache/x, /srv/y]")
	}
	for _, path := range paths {
		if strings.ContainsAny(path, "*?[$") || strings.HasPrefix(path, "~") && path != "~" && !strings.HasPrefix(path, "~/") {
			r.Warn("sandbox", fmt.Sprintf("%s: %q is taken as it stands: patterns, variables and ~user are not filled in", key, path),
				"name a directory: all that is in it counts")
		}
	}
	return paths
}

// start runs c, in a sandbox if the entry wants one. file is one more that the
// command reads, or "".
func (a *action) start(ctx context.Context, c process.Command, file string) (process.Output, error) {
	if a.limits == nil {
		return process.Run(ctx, c)
	}
	s, err := a.sandbox(file)
	if err != nil {
		failed := hook.Fail(hook.CauseSpawn, "the sandbox could not be made: %w", err)
		failed.Blocks = true // the agent may have made it so
		return process.Output{Code: -1}, failed
	}
	confined, err := a.opts.Confine(c, s)
	if err != nil {
		return process.Output{Code: -1}, err
	}
	out, err := process.Run(ctx, confined)
	if complaint, failed := bytes.CutPrefix(out.Stderr, []byte("bwrap: ")); err == nil && out.Code == 1 && failed && len(out.Stdout) == 0 {
		err = complained(c, string(bytes.TrimSpace(complaint)))
	}
	return out, err
}

// sandbox is what the command may reach now.
func (a *action) sandbox(file string) (Sandbox, error) {
	s := Sandbox{Network: a.limits.network, Home: a.deps.Home}
	own := append([]string{a.deps.Root, file}, a.copies...)
	if a.source.Style != hook.Claude || a.source.Layer != hook.User { // ~/.claude holds more than hooks
		own = append(own, a.source.Dir, a.skillDir())
	}
	for _, path := range own {
		if real, err := filepath.EvalSymlinks(path); path != "" && err == nil {
			s.add(a.deps.Root, path, real, false)
		}
	}
	for _, path := range a.limits.read {
		given, real, err := a.resolve(path)
		switch {
		case errors.Is(err, fs.ErrNotExist): // there is nothing to read, in a sandbox or not
		case err != nil:
			return s, err
		default:
			s.add(a.deps.Root, given, real, false)
		}
	}
	for _, path := range a.limits.write {
		given, real, err := a.resolve(path)
		if errors.Is(err, fs.ErrNotExist) {
			return s, fmt.Errorf("there is no %s to write to (make it first, or name the directory above it)", given)
		} else if err != nil {
			return s, err
		}
		s.add(a.deps.Root, given, real, true)
	}
	return s, nil
}

// add mounts a path where it really is and, unless a link in the project leads
// there, under its own name.
func (s *Sandbox) add(root, path, real string, write bool) {
	s.Mounts = append(s.Mounts, Mount{real, real, write})
	if path = filepath.Clean(path); path != real && (path == root || !below(root, path)) {
		s.Mounts = append(s.Mounts, Mount{path, real, write})
	}
}

// resolve makes a path of an entry absolute and follows its links. One in the
// project must not lead out of it: the agent may write there, and make links.
func (a *action) resolve(path string) (given, real string, err error) {
	given = path
	if rest, home := strings.CutPrefix(path, "~"); home && (rest == "" || rest[0] == '/') && a.deps.Home != "" {
		given = a.deps.Home + rest
	} else if !filepath.IsAbs(path) {
		given = filepath.Join(a.deps.Root, path)
	}
	given = filepath.Clean(given)
	if real, err = filepath.EvalSymlinks(given); err != nil {
		return given, "", err
	}
	root, err := filepath.EvalSymlinks(a.deps.Root)
	if err == nil && (below(a.deps.Root, given) || below(root, given)) && !below(root, real) {
		return given, "", fmt.Errorf("%s leads out of the project, to %s", given, real)
	}
	return given, real, nil
}

// below reports whether path is dir or in it.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
