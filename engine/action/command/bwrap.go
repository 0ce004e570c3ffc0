package command

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/process"
)

// Bwrap returns c as a command of bwrap (bubblewrap), which runs it in the
// sandbox s: namespaces of its own for processes, network, users, files; no
// capabilities. What c starts ends with it, also what left its group. The
// error is a NoVerdict of cause config: there is no bwrap.
func Bwrap(c process.Command, s Sandbox) (process.Command, error) {
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return c, hook.Fail(hook.CauseConfig, "the sandbox needs the program bwrap: %w (install bubblewrap, which is for Linux; or leave out sandbox)", err)
	}
	c.Argv = append(append([]string{path}, s.bwrap(c.Dir)...), c.Argv...)
	c.Dir = ""
	return c, nil
}

// complained is what it means that bwrap could not run c. The last thing that
// it does is to execute the program; then the sandbox is there.
func complained(c process.Command, complaint string) error {
	program, isThere := strings.CutPrefix(complaint, "execvp ")
	if !isThere {
		return hook.Fail(hook.CauseSpawn, "the sandbox could not be made: bwrap: %s", complaint)
	}
	name := c.Argv[0]
	why := strings.TrimPrefix(program, name+": ")
	path, err := process.Look(name, c.Env)
	if err == nil && !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	if err == nil {
		_, err = os.Stat(path)
	}
	switch {
	case strings.HasSuffix(why, "Permission denied"):
		return hook.Fail(hook.CauseSpawn, "%s may not be executed (chmod +x?): %s", cmp.Or(path, name), why)
	case err != nil:
		return hook.Fail(hook.CauseSpawn, "%s is not there: %s", cmp.Or(path, name), why)
	case strings.HasSuffix(why, "No such file or directory"):
		return hook.Fail(hook.CauseSpawn, "%s or the interpreter on its #! line is not there in the sandbox (name its directory below read): %s", path, why)
	}
	return hook.Fail(hook.CauseSpawn, "%s could not be run in the sandbox: %s", path, why)
}

// bwrap are the arguments that make s, up to the command itself.
func (s Sandbox) bwrap(dir string) []string {
	args := []string{"--unshare-all", "--cap-drop", "ALL"}
	add := func(more ...string) { args = append(args, more...) }
	if s.Network {
		add("--share-net")
	}
	for _, dir := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix"} {
		add("--ro-bind-try", dir, dir)
	}
	add("--proc", "/proc", "--dev", "/dev", "--tmpfs", tmpDir, "--tmpfs", "/var/tmp", "--setenv", "TMPDIR", tmpDir)
	for _, dir := range []string{"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"} {
		add("--ro-bind-try", dir, dir) // root may write there, also without any capability
	}
	for _, path := range secrets() {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			add("--tmpfs", path)
		} else if err == nil {
			add("--ro-bind", os.DevNull, path)
		}
	}
	if s.Home != "" && s.Home != "/" {
		add("--tmpfs", s.Home)
	}
	for _, m := range s.ordered() {
		how := "--ro-bind"
		if m.Write {
			how = "--bind"
		}
		add(how, m.Source, m.Path)
	}
	return append(args, "--chdir", s.place(dir), "--")
}

// secrets are what the system keeps from all but root, which a hook may be,
// and what tells of the machine or of other users.
func secrets() []string {
	keys, _ := filepath.Glob("/etc/ssh/ssh_host_*_key") // the pattern is a good one
	return append(keys, "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/ssl/private", "/etc/pki/tls/private",
		"/etc/kubernetes", "/etc/wireguard", "/etc/NetworkManager/system-connections",
		"/proc/acpi", "/proc/scsi", "/proc/kcore", "/proc/keys", "/proc/timer_list", "/proc/latency_stats")
}

// ordered are the mounts in the order in which they are put over another, one
// for each path; writing counts.
func (s Sandbox) ordered() []Mount {
	all := slices.Clone(s.Mounts)
	slices.SortStableFunc(all, func(x, y Mount) int {
		return cmp.Or(strings.Count(x.Path, "/")-strings.Count(y.Path, "/"), cmp.Compare(x.Path, y.Path))
	})
	kept := all[:0]
	for _, m := range all {
		if n := len(kept); n > 0 && kept[n-1].Path == m.Path {
			kept[n-1].Write = kept[n-1].Write || m.Write
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// tmpDir is where a confined command has its temporary files.
const tmpDir = "/tmp"

// place is dir if the command can see it, else its own directory for temporary
// files.
func (s Sandbox) place(dir string) string {
	for _, m := range s.Mounts {
		if below(m.Path, dir) {
			return dir
		}
	}
	return tmpDir
}
