package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/pawl-dev/pawl/engine/hook"
)

// managed reads the layer of the company.
func (l *loader) managed() {
	dir := l.opts.Managed
	if dir == "" {
		dir = "/etc/pawl"
	}
	src := hook.Source{Layer: hook.Managed, Dir: dir}
	l.at(src, filepath.Join(dir, "managed.yaml"))
	l.dir(src, filepath.Join(dir, "managed.d"), "")
}

// layers reads all others, in the order of their ranks.
func (l *loader) layers() {
	l.user()
	project := hook.Source{Layer: hook.Project, Dir: l.root}
	own := filepath.Join(l.root, ".pawl")
	l.at(project, filepath.Join(l.root, "pawl.yaml"))
	l.dir(project, own, "local.yaml")
	l.at(project, filepath.Join(l.root, "echo-agent.yaml"))
	l.claude(project, l.root, "settings.json")
	l.agents(project, l.root)

	local := hook.Source{Layer: hook.Local, Dir: l.root}
	l.at(local, filepath.Join(own, "local.yaml"))
	l.claude(local, l.root, "settings.local.json")

	l.plugins()

	for _, dir := range []string{"skills", ".agents/skills", ".claude/skills"} {
		l.skillsIn(filepath.Join(l.root, filepath.FromSlash(dir)))
	}
	if l.opts.Home != "" {
		l.skillsIn(filepath.Join(l.opts.Home, ".agents", "skills"))
	}
}

func (l *loader) user() {
	config := l.opts.ConfigHome
	if config == "" && l.opts.Home != "" {
		config = filepath.Join(l.opts.Home, ".config")
	}
	if config != "" {
		dir := filepath.Join(config, "pawl")
		l.at(hook.Source{Layer: hook.User, Dir: dir}, filepath.Join(dir, "pawl.yaml"))
	}
	if home := l.opts.Home; home != "" {
		user := hook.Source{Layer: hook.User, Dir: filepath.Join(home, ".claude")}
		l.claude(user, home, "settings.json")
		l.agents(user, home)
	}
}

// claude reads a settings file of Claude Code, if these are wanted.
func (l *loader) claude(src hook.Source, dir, name string) {
	if l.opts.Claude {
		src.Style = hook.Claude
		l.at(src, filepath.Join(dir, ".claude", name))
	}
}

// at reads an optional file. One with the right name but another ending is
// not read, which its author should hear.
func (l *loader) at(src hook.Source, path string) {
	src.File = path
	if l.file(src) || filepath.Ext(path) != ".yaml" {
		return
	}
	for _, ext := range []string{".yml", ".json"} {
		other := strings.TrimSuffix(path, ".yaml") + ext
		if _, err := os.Lstat(other); err == nil {
			src.File = other
			l.misnamed(src)
		}
	}
}

func (l *loader) misnamed(src hook.Source) {
	l.looked[src.File] = true
	l.warn(src, "not read: only files that end in .yaml are", "rename it")
}

// warn adds a File that says nothing but a warning.
func (l *loader) warn(src hook.Source, message, advice string) {
	l.add(File{Source: src, Diagnostics: []hook.Diagnostic{
		{Severity: hook.Warning, Pos: hook.Position{File: src.File}, Message: message, Advice: advice}}})
}

// dir reads the .yaml files of a directory in the order of their names. The
// directory is a source too: files may be added to it.
func (l *loader) dir(src hook.Source, dir, except string) {
	l.looked[dir] = true
	names, err := l.listing(l.over(src), dir)
	if err != nil {
		src.File = dir
		l.unreadable(src, err)
		return
	}
	for _, name := range names {
		src.File = filepath.Join(dir, name)
		switch ext := filepath.Ext(name); {
		case name == except || strings.HasPrefix(name, "."):
		case ext == ".yaml":
			l.file(src)
		case ext == ".yml" || ext == ".json":
			l.misnamed(src)
		}
	}
}

// listing is that of dir with what over has there.
func (l *loader) listing(over *hook.Overlay, dir string) ([]string, error) {
	names, err := listing(dir)
	if err != nil && !over.HasDir(dir) {
		return nil, err
	}
	return slices.Sorted(slices.Values(over.Listing(dir, names))), nil
}

// listing returns the sorted names in dir; none if there is no such directory.
// It does not wait, whatever is at dir.
func listing(dir string) ([]string, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err == nil {
		defer f.Close()
		var names []string
		if names, err = f.Readdirnames(-1); err == nil {
			slices.Sort(names)
			return names, nil
		}
	}
	if err = absent(dir, err); err == errAbsent {
		return nil, nil
	}
	if info, statErr := os.Stat(dir); statErr == nil && !info.IsDir() {
		return nil, nil
	}
	return nil, err
}
