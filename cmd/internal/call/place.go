package call

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/pawl-dev/pawl/engine/hook"
)

// Place is where a process stands.
type Place struct {
	Env []string // NAME=value
	Dir string   // working directory, "" where it cannot be told
}

// Here is the place of this process.
func Here() Place {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	return Place{os.Environ(), dir}
}

// Getenv returns a variable, "" if it is not set.
func (p Place) Getenv(name string) string {
	value, _ := p.lookupEnv(name)
	return value
}

func (p Place) lookupEnv(name string) (value string, ok bool) {
	return (&hook.Event{Env: p.Env}).LookupEnv(name)
}

// Zone names the time zone of this place as far as its environment does.
func (p Place) Zone() string {
	if zone, ok := p.lookupEnv("TZ"); ok {
		return "TZ=" + zone
	}
	return "that of the machine"
}

// Home is the home directory of the user, "" if there is none.
func (p Place) Home() string {
	if runtime.GOOS == "windows" {
		return p.Getenv("USERPROFILE")
	}
	return p.Getenv("HOME")
}

// StateDir is where Pawl keeps what outlives a process; "" if the user has no
// home.
func (p Place) StateDir() string {
	if dir := p.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "pawl")
	}
	if home := p.Home(); home != "" {
		return filepath.Join(home, ".local", "state", "pawl")
	}
	return ""
}

// absolute returns path as this place sees it, and whether it is absolute.
func (p Place) absolute(path string) (string, bool) {
	if !filepath.IsAbs(path) {
		if p.Dir == "" {
			return path, false
		}
		path = filepath.Join(p.Dir, path)
	}
	return filepath.Clean(path), true
}
