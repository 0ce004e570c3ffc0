package command_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/action/command"
	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/process"
)

// mounts are what a hook would see in its sandbox: r or w, path, and source if
// it is another.
func mounts(t *testing.T, f *fixture, ev hook.Event, limits any) (list []string, s command.Sandbox, err error) {
	t.Helper()
	f.opts.Confine = func(c process.Command, got command.Sandbox) (process.Command, error) {
		for _, m := range got.Mounts {
			text := "r " + m.Path
			if m.Write {
				text = "w " + m.Path
			}
			if m.Source != m.Path {
				text += " = " + m.Source
			}
			list = append(list, text)
		}
		s = got
		return c, nil
	}
	_, err = f.run(t, ev, "command", "exit 0", "sandbox", limits)
	return list, s, err
}

// What an entry may reach: the project and where the hook lives, to read, and
// what it names.
func TestSandboxMounts(t *testing.T) {
	f := newFixture(t)
	root, home, other := f.deps.Root, f.deps.Home, t.TempDir()
	for _, dir := range []string{root + "/build", root + "/.git", home + "/.cache", root + "/.pawl"} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{root + "/out": other, root + "/in": root + "/build", home + "/linked": other} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	own := []string{"r " + root, "r " + root, "r " + root + "/.pawl"}
	skill := hook.Source{Layer: hook.Skill, Dir: other, File: other + "/SKILL.md"}
	list := func(paths ...any) map[string]any { return map[string]any{"read": paths} }
	for _, tt := range []struct {
		name   string
		source hook.Source
		limits any
		want   []string
		fault  string
	}{
		{"true", f.source, true, own, ""},
		{"a skill", skill, true, []string{"r " + root, "r " + other, "r " + other}, ""},
		{"the user's Claude settings", hook.Source{Layer: hook.User, Style: hook.Claude, Dir: home, File: home + "/settings.json"}, true, []string{"r " + root}, ""},
		{"write", f.source, map[string]any{"write": []any{"build", "./in", "~/.cache", other}},
			append(own[:3:3], "w "+root+"/build", "w "+root+"/build", "w "+home+"/.cache", "w "+other), ""},
		{"read", f.source, list("~/linked", ".git", "none"), append(own[:3:3], "r "+other, "r "+home+"/linked = "+other, "r "+root+"/.git"), ""},
		{"home", f.source, list("~"), append(own[:3:3], "r "+home), ""},
		{"a link out of the project", f.source, map[string]any{"write": []any{"out"}}, nil, "leads out of the project, to " + other},
		{"a link out, to read", f.source, list(root + "/out"), nil, "leads out of the project"},
		{"nothing to write to", f.source, map[string]any{"write": []any{"dist"}}, nil, "there is no " + root + "/dist to write to"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f.source = tt.source
			got, s, err := mounts(t, f, bash(t), tt.limits)
			if tt.fault != "" {
				wantCause(t, err, hook.CauseSpawn, true)
				if err == nil || !strings.Contains(err.Error(), tt.fault) {
					t.Errorf("got %v, want %q", err, tt.fault)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, tt.want) || s.Home != home || s.Network {
				t.Errorf("got\n%q, %v, want\n%q", got, err, tt.want)
			}
		})
	}
}

// A project that is reached by a link is there under both names.
func TestSandboxLinkedRoot(t *testing.T) {
	f := newFixture(t)
	real := f.deps.Root
	f.deps.Root = filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, f.deps.Root); err != nil {
		t.Fatal(err)
	}
	f.source = hook.Source{Layer: hook.Session}
	got, _, err := mounts(t, f, bash(t), map[string]any{"network": true, "write": []any{"."}})
	want := []string{"r " + real, "r " + f.deps.Root + " = " + real, "w " + real, "w " + f.deps.Root + " = " + real}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q, %v, want\n%q", got, err, want)
	}
}

// A copy that is run in the place of a changed script is there too.
func TestSandboxCopies(t *testing.T) {
	f := newFixture(t)
	script, kept := f.deps.Root+"/guard.sh", t.TempDir()+"/guard.sh"
	write(t, script, "#!/bin/sh\nexit 2\n")
	write(t, kept, "#!/bin/sh\nexit 0\n")
	f.source = hook.Source{Layer: hook.Session}
	f.deps.Copies = func([]string) (hook.Copies, error) {
		return hook.Copies{Run: map[string]string{script: kept}, Changed: []string{script}}, nil
	}
	var got []command.Mount
	f.opts.Confine = func(c process.Command, s command.Sandbox) (process.Command, error) {
		got = s.Mounts
		return c, nil
	}
	res, err := f.run(t, bash(t), "command", "./guard.sh", "sandbox", true)
	want := []command.Mount{{Path: f.deps.Root, Source: f.deps.Root}, {Path: kept, Source: kept}}
	if err != nil || res.Verdict != hook.None || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, mounts %+v", res.Verdict, err, got)
	}
}

// The arguments of bwrap, to the letter.
func TestBwrap(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/bwrap", "#!/bin/sh\nexit 0\n")
	t.Setenv("PATH", dir)
	const system = "--ro-bind-try /usr /usr --ro-bind-try /bin /bin --ro-bind-try /sbin /sbin --ro-bind-try /lib /lib " +
		"--ro-bind-try /lib32 /lib32 --ro-bind-try /lib64 /lib64 --ro-bind-try /libx32 /libx32 --ro-bind-try /etc /etc " +
		"--ro-bind-try /opt /opt --ro-bind-try /nix /nix --proc /proc --dev /dev --tmpfs /tmp --tmpfs /var/tmp --setenv TMPDIR /tmp " +
		"--ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger --ro-bind-try /proc/irq /proc/irq " +
		"--ro-bind-try /proc/bus /proc/bus --ro-bind-try /proc/fs /proc/fs"
	secret := regexp.MustCompile(` (--ro-bind /dev/null|--tmpfs) /(etc|proc)/\S+`) // as this machine has them
	for _, tt := range []struct {
		s         command.Sandbox
		dir, want string
	}{
		{command.Sandbox{}, "/proj", "--unshare-all --cap-drop ALL " + system + " --chdir /tmp --"},
		{command.Sandbox{Network: true, Home: "/home/u", Mounts: []command.Mount{
			{Path: "/proj/.git", Source: "/proj/.git"}, {Path: "/proj", Source: "/data/proj"}, {Path: "/proj", Source: "/data/proj", Write: true},
		}}, "/proj/src", "--unshare-all --cap-drop ALL --share-net " + system +
			" --tmpfs /home/u --bind /data/proj /proj --ro-bind /proj/.git /proj/.git --chdir /proj/src --"},
		{command.Sandbox{Home: "/", Mounts: []command.Mount{{Path: "/workshop", Source: "/workshop"}}}, "/proj",
			"--unshare-all --cap-drop ALL " + system + " --ro-bind /workshop /workshop --chdir /tmp --"},
	} {
		c, err := command.Bwrap(process.Command{Argv: []string{"bash", "-c", "x"}, Dir: tt.dir, Stdin: []byte("event")}, tt.s)
		want := dir + "/bwrap " + tt.want + " bash -c x"
		if got := secret.ReplaceAllString(strings.Join(c.Argv, " "), ""); err != nil || got != want || c.Dir != "" || string(c.Stdin) != "event" {
			t.Errorf("got\n%q, %v, want\n%q", c.Argv, err, want)
		}
	}
}

// Without bwrap a hook that wants a sandbox does not run at all.
func TestNoBwrap(t *testing.T) {
	f := newFixture(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(bash, dir+"/bash"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	_, err = f.run(t, hook.Event{Name: hook.PreToolUse}, "command", "echo > ran", "sandbox", true)
	wantCause(t, err, hook.CauseConfig, false)
	if err == nil || !strings.Contains(err.Error(), "install bubblewrap") {
		t.Errorf("no advice: %v", err)
	}
	if _, err := os.Stat(f.deps.Root + "/ran"); err == nil {
		t.Error("it ran")
	}
	// One that cannot make a sandbox is no answer of the hook.
	write(t, dir+"/bwrap", "#!"+bash+"\necho 'bwrap: No permissions to create a new namespace' >&2; exit 1\n")
	_, err = f.run(t, hook.Event{Name: hook.PreToolUse}, "command", "exit 0", "sandbox", true)
	wantCause(t, err, hook.CauseSpawn, false)
	if err == nil || !strings.Contains(err.Error(), "the sandbox could not be made: bwrap: No permissions") {
		t.Errorf("got %v", err)
	}
}

// A program that is not there is no fault of the sandbox, which was made.
func TestNoProgramInSandbox(t *testing.T) {
	if _, err := exec.LookPath("bwrap"); err != nil {
		t.Skip("the sandbox that is tried here, bwrap, is not installed")
	}
	f := newFixture(t)
	root := f.deps.Root
	outside := t.TempDir() + "/tool"
	write(t, outside, "#!/bin/sh\n")
	write(t, root+"/lost", "#!/no/interpreter\n")
	write(t, root+"/plain", "text")
	if err := os.Chmod(root+"/plain", 0o600); err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]string{
		"bin/x":        root + "/bin/x is not there",
		"no-such-tool": "no-such-tool is not there",
		"./plain":      root + "/plain may not be executed (chmod +x?)",
		"./lost":       root + "/lost or the interpreter on its #! line is not there in the sandbox",
		outside:        outside + " or the interpreter on its #! line is not there in the sandbox (name its directory below read)",
	} {
		_, err := f.run(t, bash(t), "command", program, "args", []any{"x"}, "sandbox", true)
		wantCause(t, err, hook.CauseSpawn, false)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "could not be made") {
			t.Errorf("%s: got %v, want %q", program, err, want)
		}
	}
}

// The paths are no patterns, which is said where they look like it.
func TestSandboxPathsAreNoPatterns(t *testing.T) {
	f := newFixture(t)
	for path, want := range map[string]int{"src/*.go": 1, "$HOME/x": 1, "~other/x": 1, "~": 0, "~/x": 0, "a~b": 0} {
		for _, key := range []string{"read", "write"} {
			if _, diags := f.make("command", "true", "sandbox", map[string]any{key: []any{path}}); len(diags) != want {
				t.Errorf("%s %s: %v", key, path, diags)
			}
		}
	}
}

// A host may bring a sandbox of its own, and its failure is the hook's.
func TestConfine(t *testing.T) {
	f := newFixture(t)
	f.opts.Confine = func(c process.Command, s command.Sandbox) (process.Command, error) {
		if s.Network {
			return c, hook.Fail(hook.CauseConfig, "no network here")
		}
		c.Argv = append([]string{"env", "CONFINED=yes"}, c.Argv...)
		return c, nil
	}
	res, err := f.run(t, bash(t), "command", "echo $CONFINED; pwd", "sandbox", true)
	if want := "yes\n" + f.deps.Root; err != nil || res.Log != want {
		t.Errorf("got %q, %v, want %q", res.Log, err, want)
	}
	_, err = f.run(t, bash(t), "command", "exit 0", "sandbox", map[string]any{"network": true})
	wantCause(t, err, hook.CauseConfig, false)
	if res, err := f.run(t, bash(t), "command", "echo $CONFINED", "sandbox", false); err != nil || res.Log != "" {
		t.Errorf("without a sandbox: %q, %v", res.Log, err)
	}
}

// What a hook tries in vain in a real sandbox. It says what it got at.
func TestEscapes(t *testing.T) {
	if _, err := exec.LookPath("bwrap"); err != nil {
		t.Skip("the sandbox that is tried here, bwrap, is not installed")
	}
	f := newFixture(t)
	root, home, outside := f.deps.Root, f.deps.Home, t.TempDir()
	write(t, outside+"/secret", "secret")
	write(t, home+"/.ssh/id", "secret")
	write(t, root+"/file", "content")
	write(t, root+"/build/old", "x")
	write(t, root+"/.git/config", "x")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	open, err := syscall.Open(outside, syscall.O_RDONLY, 0) // every child of this process would have it
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(open)
	f.opts.Environ = func() []string {
		return append(os.Environ(), "HOME="+home, "OUTSIDE="+outside, "PORT="+port, fmt.Sprintf("OPEN=%d", open))
	}
	inBuild := map[string]any{"write": []any{"build"}}
	for _, tt := range []struct {
		name   string
		limits any
		text   string
		want   string
	}{
		{"reads the project and the event", true, `cat file; grep -o session_id; pwd`, "content" + "session_id\n" + root},
		{"has a place for temporary files", true, `echo x > "$(mktemp)" && echo made`, "made"},
		{"writes to the project", true, `echo x > new; echo x >> file; rm file; ls`, "build\nfile"},
		{"writes where it may", inBuild, `echo x > build/new && cat build/new; echo x > new`, "x"},
		{"writes above where it may", inBuild, `echo x > build/../new; ln -s ../file build/l && echo x > build/l`, ""},
		{"protects a part", map[string]any{"write": []any{"."}, "read": []any{".git"}}, `echo y > fresh && cat fresh; echo x > .git/config`, "y"},
		{"writes elsewhere", true, `echo x > $OUTSIDE/new; echo x > /usr/new; echo x > /etc/new; echo x > ~/new && rm ~/new && echo home of its own`, "home of its own"},
		{"reads elsewhere", true, `cat $OUTSIDE/secret; cat ~/.ssh/id; cat /proc/1/root$OUTSIDE/secret; ls -A ~`, ""},
		{"reads what it may", map[string]any{"read": []any{"~/.ssh"}}, `cat ~/.ssh/id; echo x > ~/.ssh/id`, "secret"},
		{"mounts it again", true, `mount -o remount,rw,bind ` + root + `; unshare -rm mount -o remount,rw,bind ` + root + `; echo x > new; umount ` + root, ""},
		{"goes to the network", true, `exec 3<>/dev/tcp/127.0.0.1/$PORT && echo connected; ls /sys/class/net`, ""},
		{"goes to the network where it may", map[string]any{"network": true}, `exec 3<>/dev/tcp/127.0.0.1/$PORT && echo connected`, "connected"},
		{"sees other processes", true, fmt.Sprintf(`kill -0 %d && echo seen; ls -d /proc/[0-9]* | wc -l | grep -qx '[0-9]' && echo few`, os.Getpid()), "few"},
		{"sees sockets of services", true, `ls /run /var/run`, ""},
		{"reads passwords", true, `cat /etc/shadow /etc/gshadow /etc/ssh/ssh_host*_key`, ""},
		{"uses a file that was left open", true, `cat /proc/self/fd/$OPEN/secret; ls /proc/$$/fd | grep -x $OPEN`, ""},
		{"has rights", true, `grep -v 0000000000000000 /proc/self/status | grep ^Cap`, ""},
		{"changes the machine", true, `for f in kernel/printk kernel/core_pattern vm/swappiness; do v=$(cat /proc/sys/$f) && echo "$v" > /proc/sys/$f && echo set; done; echo h > /proc/sysrq-trigger && echo asked`, ""},
		{"sees keys and memory", true, `cat /proc/keys; head -c 1 /proc/kcore`, ""},
		{"speaks to its parent", true, `ls /proc/$PPID/root$OUTSIDE; kill -9 -1; kill -9 1`, ""},
		{"links into the project", map[string]any{"write": []any{"build"}}, `ln $OUTSIDE/secret build/hard; ln -s $OUTSIDE/secret build/soft && cat build/soft build/hard; rm build/soft`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, _ := f.make("command", "{ "+tt.text+"; } 2>/dev/null; exit 0", "sandbox", tt.limits)
			res, err := a.Run(t.Context(), call(bash(t, "command", "ls")))
			if err != nil || res.Log != tt.want {
				t.Errorf("got %q, %v, want %q", res.Log, err, tt.want)
			}
			for _, path := range []string{root + "/new", outside + "/new", "/usr/new", "/etc/new", home + "/new"} {
				if _, err := os.Stat(path); err == nil {
					t.Errorf("it wrote %s", path)
				}
			}
			if text, _ := os.ReadFile(root + "/file"); string(text) != "content" {
				t.Errorf("file holds %q", text)
			}
			if text, _ := os.ReadFile(root + "/.git/config"); string(text) != "x" {
				t.Errorf(".git/config holds %q", text)
			}
		})
	}
	// An answer is an answer, in a sandbox as elsewhere.
	res, err := f.run(t, bash(t), "command", "echo no >&2; exit 2", "sandbox", true)
	if err != nil || res.Verdict != hook.Deny || res.Reason != "no" {
		t.Errorf("got %+v, %v", res, err)
	}
	_, err = f.run(t, bash(t), "command", "exit 1", "sandbox", true)
	wantCause(t, err, hook.CauseExit, false)
	res, err = f.run(t, bash(t, "big", strings.Repeat("x", 100<<10)), "command", `[ -s "$INPUT_JSON_FILE" ] && grep -q session_id "$INPUT_JSON_FILE" && echo no >&2; exit 2`, "sandbox", true)
	if err != nil || res.Reason != "no" {
		t.Errorf("INPUT_JSON_FILE: got %+v, %v", res, err)
	}
}

// What a hook leaves behind ends with it, also what left its session.
func TestNoSurvivors(t *testing.T) {
	if _, err := exec.LookPath("bwrap"); err != nil {
		t.Skip("the sandbox that is tried here, bwrap, is not installed")
	}
	f := newFixture(t)
	pipe := f.deps.Root + "/alive"
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Fatal(err)
	}
	write(t, f.deps.Root+"/stay", "#!/bin/bash\nexec 7>alive\necho up >&7\n: > ready\nexec sleep 300\n")
	limits := map[string]any{"write": []any{"."}}
	const leave = "rm -f ready; setsid ./stay >/dev/null 2>&1 </dev/null & until [ -e ready ]; do sleep .02; done; "
	for name, text := range map[string]string{
		"exits":     leave + "exit 0",
		"timed out": leave + "sleep 300",
	} {
		t.Run(name, func(t *testing.T) {
			ended := make(chan error, 1)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				a, _ := f.make("command", text, "sandbox", limits)
				_, err := a.Run(ctx, call(bash(t)))
				ended <- err
			}()
			// Opening waits for a writer; the end of the file is the end of all.
			r, err := os.Open(pipe)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			line := make([]byte, 3)
			if _, err := r.Read(line); err != nil {
				t.Fatal(err)
			}
			if name == "timed out" {
				cancel()
			}
			if err := <-ended; (err != nil) != (name == "timed out") {
				t.Error(err)
			}
			cancel()
			r.SetReadDeadline(time.Now().Add(10 * time.Second))
			if _, err := r.Read(line); !errors.Is(err, io.EOF) {
				t.Errorf("somebody still writes: %v", err)
			}
		})
	}
}
