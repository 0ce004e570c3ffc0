package shell

import (
	"strings"
	"sync"
)

// Options that several rows take.
const (
	dockerExecFlags  = "d i t privileged detach interactive tty"
	dockerExecValues = "e u w detach-keys env env-file user workdir"
	dockerRunFlags   = "d i t P rm init privileged read-only detach interactive tty publish-all no-healthcheck oom-kill-disable quiet q"
	dockerRunValues  = "a c e h l m p u v w name network net env env-file volume mount workdir user publish platform label hostname memory cpus gpus device cap-add cap-drop security-opt tmpfs shm-size pull restart ipc pid uts dns add-host link log-driver log-opt ulimit stop-signal runtime cpu-shares cpuset-cpus volumes-from group-add expose ip mac-address userns cidfile health-cmd"
	personality      = "B F I L R S T X Z v 3 4 32bit addr-compat-layout addr-no-randomize whole-seconds sticky-timeouts read-implies-exec mmap-page-zero 3gb 4gb uname-2.6 verbose list show"
)

// wrapperTable is the one list of programs that run their operands, or text
// given as an option. Order does not matter; names are unique.
var wrapperTable = [...]Wrapper{
	// Users and privileges.
	{Name: "sudo", Flags: "A b B E e H i K k l N n P S s V v askpass background bell edit login list non-interactive no-update preserve-groups remove-timestamp reset-timestamp set-home shell stdin validate version help", Values: "g h p r T t U u C group host prompt role command-timeout type other-user user close-from", Chdir: "D R chdir chroot", Optional: "preserve-env", Quits: "e edit K l list V version v validate help", Env: true, Default: "sh"},
	{Name: "doas", Flags: "L n s", Values: "C u", Quits: "L C", Env: true, Default: "sh"},
	{Name: "run0", Flags: "no-ask-password pty pipe help version lightweight", Values: "u g D property user group nice chdir setenv background unit description slice machine", Chdir: "D chdir", Default: "sh"},
	{Name: "pkexec", Flags: "disable-internal-agent keep-cwd", Values: "user"},
	{Name: "gosu", Operands: 1},
	{Name: "su-exec", Operands: 1},
	{Name: "setuidgid", Operands: 1},
	{Name: "s6-setuidgid", Operands: 1},
	{Name: "chpst", Flags: "P v V 0 1 2", Values: "u U b e n l L m d o p f c r t /"},
	{Name: "envdir", Operands: 1},
	{Name: "envuidgid", Operands: 1},
	{Name: "softlimit", Values: "a c d f l m n o p r s t"},
	{Name: "setlock", Flags: "n N x X", Operands: 1},
	{Name: "su", Flags: "- f l m p P fast login preserve-environment pty", Values: "g G s w u group supp-group shell whitelist-environment user", Shell: "c command session-command", Operands: 1, Default: "sh"},
	{Name: "runuser", Flags: "- f m p P fast preserve-environment pty", Values: "g G s w l login group supp-group shell whitelist-environment u user", Shell: "c command session-command", Default: "sh"},
	{Name: "runuser -", Flags: "f l m p P fast login preserve-environment pty", Values: "g G s w group supp-group shell whitelist-environment", Shell: "c command session-command", Operands: 1, Default: "sh"},
	{Name: "sg", Shell: "c", Operands: 1, Text: true, Default: "sh"},
	{Name: "setpriv", Flags: "clear-groups keep-groups init-groups no-new-privs nnp reset-env dump d list-caps", Values: "ruid euid reuid rgid egid regid groups inh-caps ambient-caps bounding-set securebits pdeathsig selinux-label apparmor-profile landlock-access landlock-rule ptracer"},
	{Name: "capsh", Dashes: true, Operands: NoCommand, Default: "sh"},
	{Name: "newgrp", Flags: "- l", Operands: NoCommand, Default: "sh"},

	{Name: "logsave", Flags: "a s v", Operands: 1},

	// Environment, time, priority, limits.
	{Name: "env", Flags: "- i 0 v ignore-environment null debug list-signal-handling", Values: "u P unset a argv0", Chdir: "C chdir", Split: "S split-string", Optional: "block-signal default-signal ignore-signal", Env: true},
	{Name: "genv", Flags: "- i 0 v ignore-environment null debug", Values: "u unset", Chdir: "C chdir", Split: "S split-string", Env: true},
	{Name: "timeout", Flags: "f p v foreground preserve-status verbose", Values: "k s kill-after signal", Operands: 1, Strip: true},
	{Name: "gtimeout", Flags: "foreground preserve-status verbose v", Values: "k s kill-after signal", Operands: 1},
	{Name: "time", Flags: "a p q v append portability quiet verbose V version", Values: "f o format output", Strip: true},
	{Name: "gtime", Flags: "a p q v append portability quiet verbose", Values: "f o format output"},
	{Name: "nice", Values: "n adjustment", Strip: true},
	{Name: "gnice", Values: "n adjustment"},
	{Name: "ionice", Flags: "t ignore", Values: "c n p P u class classdata pid pgid uid", Quits: "p P u pid pgid uid", Exact: true},
	{Name: "nohup", Strip: true},
	{Name: "setsid", Flags: "c f w ctty fork wait", Exact: true},
	{Name: "stdbuf", Values: "i o e input output error", Strip: true},
	{Name: "gstdbuf", Values: "i o e input output error"},
	{Name: "chrt", Flags: "a b f i m o r d R all-tasks batch fifo idle other rr deadline reset-on-fork v verbose m max", Values: "T P D sched-runtime sched-period sched-deadline p pid", Quits: "p pid m max", Operands: 1},
	{Name: "taskset", Flags: "a c all-tasks cpu-list", Values: "p pid", Quits: "p pid", Operands: 1},
	{Name: "numactl", Flags: "a b s H show hardware all balancing", Values: "i w C N m l p P S interleave cpunodebind physcpubind membind preferred localalloc weighted-interleave", Quits: "s H show hardware"},
	{Name: "prlimit", Flags: "raw noheadings verbose", Values: "p o pid output", Optional: "c d e f i l m n q r s t u v x y as core cpu data fsize locks memlock msgqueue nice nofile nproc rss rtprio rttime sigpending stack", Quits: "p pid"},
	{Name: "choom", Values: "n p adjust pid", Quits: "p pid"},
	{Name: "uclampset", Flags: "a s R v", Values: "m M p pid", Quits: "p pid"},
	{Name: "cgexec", Flags: "sticky", Values: "g"},
	{Name: "cpulimit", Flags: "z i f v", Values: "l p e P pid exe path limit"},
	{Name: "command", Flags: "p v V", Quits: "v V", Strip: true},
	{Name: "builtin", Strip: true},
	{Name: "noglob", Strip: true},
	{Name: "nocorrect"},
	{Name: "exec", Flags: "c l", Values: "a"},
	{Name: "coproc"},
	{Name: "jobs", Flags: "l n p r s", Rest: "x", Operands: NoCommand},
	{Name: "eatmydata"}, {Name: "chronic"}, {Name: "ifne", Flags: "n"}, {Name: "caffeinate", Flags: "d i m s u", Values: "t w"},
	{Name: "unbuffer", Flags: "p"}, {Name: "rlwrap"}, {Name: "ledit"}, {Name: "linux32"}, {Name: "linux64"},
	{Name: "setarch", Flags: personality, Default: "sh"}, {Name: "i386", Flags: personality}, {Name: "i686", Flags: personality}, {Name: "x86_64", Flags: personality}, {Name: "aarch64", Flags: personality}, {Name: "uname26", Flags: personality},
	{Name: "faketime", Flags: "m f exclude-monotonic", Operands: 1}, {Name: "fakeroot", Flags: "u h v", Values: "l s i b f lib faked save load", Dashes: true, Default: "sh"}, {Name: "fakechroot", Dashes: true},
	{Name: "torsocks"}, {Name: "torify"}, {Name: "tsocks"}, {Name: "proxychains", Flags: "q", Values: "f"}, {Name: "proxychains4", Flags: "q", Values: "f"},
	{Name: "dumb-init", Flags: "c v single-child", Values: "r rewrite"}, {Name: "tini", Flags: "s g v", Values: "p e"}, {Name: "catatonit"},
	{Name: "retry", Values: "t n d times delay until"}, {Name: "wait-for-it", Values: "t", Dashes: true, Operands: 1}, {Name: "daemonize", Values: "c e l o p u E"}, {Name: "xvfb-run", Flags: "a auto-servernum", Values: "e f n p s w server-args server-num error-file auth-file"}, {Name: "dbus-run-session", Values: "config-file dbus-daemon", Dashes: true}, {Name: "dbus-launch", Flags: "exit-with-session"},
	{Name: "gamemoderun"}, {Name: "optirun"}, {Name: "primusrun"}, {Name: "ts"}, {Name: "cross-env", Env: true}, {Name: "cross-env-shell", Env: true, Text: true}, {Name: "dotenv", Values: "e f v c", Dashes: true}, {Name: "dotenv run"}, {Name: "dotenvx run", Values: "f env-file", Dashes: true}, {Name: "envchain", Operands: 1},

	// Roots, namespaces, machines.
	{Name: "chroot", Flags: "skip-chdir", Values: "u g G userspec groups", Operands: 1, Away: true, Default: "sh"},
	{Name: "unshare", Flags: "f r c keep-caps fork map-root-user map-current-user map-auto", Values: "S G R w setuid setgid wd root propagation setgroups monotonic boottime map-user map-group map-users map-groups", Optional: "m u i n p U C T mount uts ipc net pid user cgroup time mount-proc kill-child", Default: "sh"},
	{Name: "nsenter", Flags: "a F e Z all no-fork env preserve-credentials follow-context", Values: "t S G target setuid setgid", Optional: "m u i n p U C T r w W mount uts ipc net pid user cgroup time root wd wdns", Away: true, Default: "sh"},
	{Name: "proot", Flags: "0", Values: "r b q w k R S", Away: true, Default: "sh"},
	{Name: "bwrap", Flags: "unshare-all unshare-user unshare-ipc unshare-pid unshare-net unshare-uts share-net die-with-parent new-session as-pid-1 clearenv", Values: "unsetenv proc dev tmpfs mqueue dir hostname uid gid args perms size lock-file sync-fd block-fd userns-block-fd info-fd json-status-fd userns userns2 pidns seccomp add-seccomp-fd exec-label file-label argv0 overlay-src tmp-overlay ro-overlay remount-ro cap-add cap-drop", Chdir: "chdir", Pairs: "bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try bind-fd ro-bind-fd symlink file bind-data ro-bind-data setenv chmod"},
	{Name: "firejail", Flags: "quiet noprofile x11"},
	{Name: "systemd-run", Flags: "user system scope t P q S G r d pty pipe quiet shell collect wait remain-after-exit no-block no-ask-password send-sighup same-dir", Values: "u p E H M unit property description slice setenv host machine uid gid nice working-directory service-type on-active on-boot on-calendar on-startup on-unit-active timer-property path-property socket-property"},
	{Name: "systemd-inhibit", Values: "what who why mode"},
	{Name: "machinectl shell", Values: "E setenv uid M machine", Operands: 1, Away: true},
	{Name: "ssh", Flags: "4 6 A a C f G g K k M N n q s T t V v X x Y y", Values: "B b c D E e F I i J L l m O p Q R S W w", Maybe: "o", Operands: 1, Text: true, Away: true, Default: "sh"},
	{Name: "mosh", Dashes: true, Values: "ssh predict port client server", Operands: 1, Away: true, Default: "sh"},
	{Name: "sshpass", Flags: "e v", Values: "p f d P"},
	{Name: "autossh", Flags: "f N T t v q", Values: "M L R D p i l", Maybe: "o", Operands: 1, Text: true, Away: true, Default: "sh"},
	{Name: "rsh", Values: "l", Operands: 1, Text: true, Away: true, Default: "sh"},
	{Name: "docker exec", Flags: dockerExecFlags, Values: dockerExecValues, Operands: 1, Away: true}, {Name: "docker container exec", Flags: dockerExecFlags, Values: dockerExecValues, Operands: 1, Away: true},
	{Name: "docker run", Flags: dockerRunFlags, Values: dockerRunValues, Program: "entrypoint", Operands: 1, Away: true}, {Name: "docker container run", Flags: dockerRunFlags, Values: dockerRunValues, Program: "entrypoint", Operands: 1, Away: true},
	{Name: "docker compose exec", Flags: "d T privileged detach no-TTY", Values: "e u w env user workdir index", Operands: 1, Away: true},
	{Name: "docker compose run", Flags: "d T P rm build no-deps detach service-ports quiet-pull", Values: "e l p u v w env label name publish user volume workdir", Program: "entrypoint", Operands: 1, Away: true},
	{Name: "oc rsh", Flags: "t T tty", Values: "c n container namespace shell timeout", Operands: 1, Away: true, Default: "sh"},
	{Name: "kubectl exec", Flags: "i t q stdin tty quiet", Values: "c f n container filename namespace pod-running-timeout", Operands: 1, Away: true},
	{Name: "kubectl run", Flags: "i t q rm stdin tty quiet command attach", Values: "n l image env labels namespace overrides restart port image-pull-policy", Operands: 1, Dashes: true, Away: true},
	{Name: "kubectl debug", Flags: "i t q stdin tty quiet attach", Values: "c n image container env target profile copy-to namespace", Operands: 1, Dashes: true, Away: true},
	{Name: "lxc exec", Flags: "T t n", Values: "env cwd user group mode", Operands: 1, Away: true},
	{Name: "incus exec", Flags: "T t n", Values: "env cwd user group mode", Operands: 1, Away: true},
	{Name: "systemd-nspawn", Flags: "b q x a n U boot quiet ephemeral as-pid2 read-only private-network keep-unit", Values: "D i M u S E directory image machine user uuid slice bind bind-ro tmpfs setenv template network-interface network-bridge network-veth-extra port capability drop-capability", Away: true},
	{Name: "lxc-attach", Values: "n name P", Dashes: true, Away: true},
	{Name: "limactl shell", Values: "workdir shell", Operands: 1, Away: true, Default: "sh"}, {Name: "lima", Away: true, Default: "sh"}, {Name: "colima ssh", Values: "p profile", Dashes: true, Operands: NoCommand, Away: true},
	{Name: "multipass exec", Values: "d working-directory", Operands: 1, Away: true},
	{Name: "distrobox enter", Flags: "r root", Values: "n name a additional-flags", Dashes: true, Away: true},
	{Name: "toolbox run", Values: "c r d container release distro", Away: true},
	{Name: "flatpak-spawn", Flags: "host watch-bus", Away: true},
	{Name: "vagrant ssh", Shell: "c command", Dashes: true, Text: true, Operands: NoCommand, Away: true},
	{Name: "gcloud compute ssh", Shell: "command", Operands: NoCommand, Away: true},
	{Name: "adb shell", Flags: "t T x n", Values: "e", Text: true, Away: true, Default: "sh"},
	{Name: "fly ssh console", Shell: "C command", Operands: NoCommand, Away: true},
	{Name: "heroku run", Values: "a app s size", Text: true, Away: true},

	// Repeating, batching, watching.
	{Name: "xargs", Flags: "0 o p r t x null open-tty interactive no-run-if-empty verbose exit show-limits", Values: "a d E L n P R S s arg-file delimiter max-args max-chars max-procs process-slot-var", Optional: "e i l eof replace max-lines", Replace: "I i J replace", Append: true, Strip: true, Default: "echo"},
	{Name: "watch", Flags: "b c C d e g r t w beep color no-color errexit chgexit no-rerun no-title no-wrap precise p x exec", Values: "n q s interval equexit shotsdir", Optional: "differences", Text: true, Exact: true},
	{Name: "flock", Flags: "e x s u n o F nb exclusive shared unlock nonblock close no-fork verbose", Values: "w E wait timeout conflict-exit-code", Shell: "c command", Operands: 1, Exact: true},
	{Name: "lockf", Flags: "k n s w", Values: "t", Operands: 1},
	{Name: "entr", Flags: "a c d n p r s z x", Text: true},
	{Name: "watchexec", Flags: "r c n p v restart clear postpone no-shell", Values: "e w f i s d exts watch filter ignore signal debounce shell", Text: true},
	{Name: "nodemon", Flags: "q V v", Values: "w e i d watch ext ignore delay", Shell: "x exec", Operands: NoCommand},
	{Name: "inotify-hookable", Shell: "c", Operands: NoCommand},
	{Name: "hyperfine", Flags: "N i shell-none ignore-failure", Values: "w r m M n S warmup runs min-runs max-runs export-json export-markdown export-csv style command-name shell", Shell: "p c prepare setup cleanup conclude", Texts: true, Operands: NoCommand},
	{Name: "sem", Flags: "fg wait", Values: "j id jobs", Text: true},
	{Name: "fd", Flags: "H I u s i g F a l L p 0 1 q hidden no-ignore unrestricted", Values: "d t e S E c j o and max-depth min-depth type extension size exclude color threads owner changed-within changed-before base-directory search-path", Rest: "x X exec exec-batch", Append: true, Operands: NoCommand},
	{Name: "fdfind", Flags: "H I u s i g F a l L p 0 1 q hidden no-ignore unrestricted", Values: "d t e S E c j o and max-depth min-depth type extension size exclude color threads", Rest: "x X exec exec-batch", Append: true, Operands: NoCommand},
	{Name: "rg", Values: "e f g t T A B C m j r", Maybe: "pre hostname-bin", Operands: NoCommand},
	{Name: "start-stop-daemon", Flags: "S K b m v q start stop background make-pidfile", Values: "n p u g d r s N P chdir name pidfile user group chuid signal", Program: "x a exec startas", Dashes: true, Operands: NoCommand},

	// Tracers and profilers.
	{Name: "strace", Flags: "c C d D f F h i k n q r t T v V w x y Y z Z", Values: "a b e E I o O p P s S u U X attach", Optional: "trace"},
	{Name: "ltrace", Flags: "b c C f h i L r S t T V", Values: "A a D e F l n o p s u w x"},
	{Name: "valgrind"}, {Name: "rr record", Flags: "n h w", Values: "c o v"}, {Name: "perf stat", Values: "e o C p r", Dashes: true}, {Name: "perf record", Flags: "g a", Values: "e o F c C p", Dashes: true}, {Name: "perf trace", Dashes: true},
	{Name: "gdb", Flags: "batch nx q quiet", Rest: "args", Operands: NoCommand},
	{Name: "lldb", Dashes: true, Operands: NoCommand}, {Name: "dtrace", Shell: "c", Operands: NoCommand}, {Name: "bpftrace", Shell: "c", Operands: NoCommand},
	{Name: "script", Flags: "a e f q append return flush quiet", Values: "E I O B T m o t", Shell: "c command", Operands: NoCommand},

	// Runners of language toolchains.
	{Name: "busybox"}, {Name: "toybox"},
	{Name: "npx", Flags: "y n q yes no quiet", Values: "p w package workspace", Shell: "c call"}, {Name: "bunx", Flags: "bun"}, {Name: "pnpx"}, {Name: "uvx", Values: "p from with python"},
	{Name: "npm exec", Flags: "y yes no workspaces", Values: "p w package workspace", Shell: "c call"}, {Name: "npm x", Flags: "y yes", Values: "p package", Shell: "c call"},
	{Name: "pnpm exec", Flags: "r c recursive"}, {Name: "pnpm dlx", Values: "package"}, {Name: "yarn exec"}, {Name: "yarn dlx", Values: "p package"}, {Name: "bun x"},
	{Name: "uv run", Flags: "q v n isolated active no-sync no-project frozen locked all-extras no-dev offline exact", Values: "p m with with-requirements with-editable extra group env-file project directory python package index"}, {Name: "uv tool run", Values: "p from with python"},
	{Name: "poetry run"}, {Name: "pdm run", Values: "p"}, {Name: "pipenv run"}, {Name: "pipx run", Values: "spec python"}, {Name: "hatch run"}, {Name: "rye run"}, {Name: "pixi run", Values: "e environment manifest-path"},
	{Name: "conda run", Flags: "v no-capture-output live-stream", Values: "n p cwd name prefix"}, {Name: "mamba run", Values: "n p name prefix"}, {Name: "micromamba run", Values: "n p name prefix"},
	{Name: "bundle exec", Flags: "keep-file-descriptors"}, {Name: "direnv exec", Operands: 1}, {Name: "devbox run", Values: "c e", Dashes: true}, {Name: "mise exec", Shell: "c command", Values: "C cd j jobs", Dashes: true}, {Name: "mise x", Shell: "c command", Dashes: true},
	{Name: "asdf exec"}, {Name: "rbenv exec"}, {Name: "pyenv exec"}, {Name: "nodenv exec"}, {Name: "rustup run", Flags: "install", Operands: 1}, {Name: "opam exec", Values: "switch", Dashes: true}, {Name: "stack exec", Dashes: true}, {Name: "cabal exec", Dashes: true}, {Name: "composer exec", Dashes: true}, {Name: "foreman run", Values: "e f"}, {Name: "honcho run", Values: "e f d"}, {Name: "env-cmd", Flags: "no-override silent verbose fallback expand-envs use-shell", Values: "f r e file rc-file environments"}, {Name: "tox exec", Values: "e c", Dashes: true, Operands: NoCommand}, {Name: "cargo watch", Flags: "c q why poll", Values: "w i d x B L clear exec watch ignore delay", Shell: "s shell", Dashes: true, Operands: NoCommand}, {Name: "flatpak run", Program: "command", Values: "branch arch cwd filesystem env share socket device", Operands: NoCommand, Away: true}, {Name: "mix cmd", Text: true},
	{Name: "nix-shell", Flags: "pure", Values: "p A I i packages attr arg argstr", Shell: "run command", Operands: NoCommand}, {Name: "nix develop", Flags: "impure i ignore-environment", Values: "k keep", Rest: "c command", Operands: NoCommand}, {Name: "nix shell", Flags: "impure", Rest: "c command", Operands: NoCommand}, {Name: "guix shell", Flags: "C N", Dashes: true, Operands: NoCommand},
	{Name: "aws-vault exec", Values: "d duration region", Operands: 1, Dashes: true}, {Name: "chamber exec", Operands: 1, Dashes: true}, {Name: "op run", Values: "env-file", Dashes: true}, {Name: "doppler run", Values: "c p config project", Shell: "command", Dashes: true}, {Name: "infisical run", Values: "env path", Shell: "command", Dashes: true}, {Name: "teller run", Dashes: true}, {Name: "vault-env"},

	// Version control and others that run text or operands of some subcommands.
	{Name: "git bisect run"},
	{Name: "git rebase", Flags: "i f q v r", Values: "s X onto strategy strategy-option", Shell: "x exec", Operands: NoCommand},
	{Name: "git filter-branch", Flags: "f force prune-empty", Values: "d subdirectory-filter original", Shell: "setup env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter", Operands: NoCommand},
	{Name: "git submodule foreach", Flags: "recursive q quiet", Text: true},
	{Name: "git for-each-repo", Values: "config", Operands: NoCommand},
	{Name: "git difftool", Flags: "y d g no-prompt dir-diff", Shell: "x extcmd", Values: "t tool", Operands: NoCommand},
	{Name: "git clone", Maybe: "u upload-pack c config", Values: "b o j depth branch origin", Operands: NoCommand},
	{Name: "git fetch", Maybe: "upload-pack", Operands: NoCommand}, {Name: "git pull", Maybe: "upload-pack", Operands: NoCommand}, {Name: "git ls-remote", Maybe: "upload-pack exec", Operands: NoCommand}, {Name: "git push", Maybe: "receive-pack exec", Operands: NoCommand}, {Name: "git archive", Maybe: "exec", Operands: NoCommand}, {Name: "git fetch-pack", Maybe: "upload-pack exec", Operands: NoCommand}, {Name: "git send-pack", Maybe: "receive-pack exec", Operands: NoCommand},
	{Name: "rsync", Maybe: "e rsh rsync-path", Operands: NoCommand},
	{Name: "tar", Maybe: "I F to-command use-compress-program info-script new-volume-script rsh-command rmt-command checkpoint-action", Values: "C f b T X", Operands: NoCommand},
	{Name: "zip", Maybe: "TT unzip-command", Operands: NoCommand},
	{Name: "sort", Maybe: "compress-program", Operands: NoCommand},
	{Name: "split", Shell: "filter", Operands: NoCommand},
	{Name: "man", Maybe: "P pager H html", Operands: NoCommand},
	{Name: "scp", Maybe: "o S D", Operands: NoCommand}, {Name: "sftp", Maybe: "o S D", Operands: NoCommand},
	{Name: "ansible", Maybe: "a args", Values: "i m u f l", Operands: NoCommand}, {Name: "fzf", Maybe: "preview bind", Operands: NoCommand}, {Name: "nc", Maybe: "e c", Operands: NoCommand}, {Name: "ncat", Maybe: "e c exec sh-exec lua-exec", Operands: NoCommand}, {Name: "ssh-agent", Flags: "c D d k s", Values: "a E O P t"}, {Name: "crictl exec", Flags: "i t", Operands: 1, Away: true}, {Name: "go test", Maybe: "exec", Operands: NoCommand}, {Name: "go run", Maybe: "exec", Operands: NoCommand},
	{Name: "less", Maybe: "k", Operands: NoCommand}, {Name: "wget", Maybe: "use-askpass", Operands: NoCommand},
	{Name: "just", Flags: "l n q v list dry-run quiet verbose", Values: "f d E justfile working-directory set dotenv-path shell shell-arg", Rest: "c command", Operands: NoCommand},
	{Name: "yt-dlp", Shell: "exec exec-before-download", Operands: NoCommand}, {Name: "youtube-dl", Shell: "exec", Operands: NoCommand}, {Name: "gum spin", Values: "s title spinner align", Dashes: true},
	{Name: "tcpdump", Maybe: "z", Values: "i w r c C G s", Operands: NoCommand},
	{Name: "cmake", Flags: "E", Operands: NoCommand},
	{Name: "xterm", Rest: "e", Text: true, Operands: NoCommand}, {Name: "alacritty", Rest: "e command", Operands: NoCommand}, {Name: "kitty"}, {Name: "gnome-terminal", Shell: "e command", Dashes: true, Operands: NoCommand}, {Name: "konsole", Rest: "e", Operands: NoCommand},
	{Name: "ld-linux", Values: "library-path preload audit argv0"},
}

// wrapperIndex finds a row by its name; it is never written after.
var wrapperIndex = sync.OnceValue(func() map[string]*Wrapper {
	m := make(map[string]*Wrapper, len(wrapperTable))
	for i := range wrapperTable {
		m[wrapperTable[i].Name] = &wrapperTable[i]
	}
	return m
})

// subcommandHeads are the programs of which only some subcommands have a row.
var subcommandHeads = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for i := range wrapperTable {
		if head, _, ok := strings.Cut(wrapperTable[i].Name, " "); ok {
			m[head] = true
		}
	}
	return m
})

// Known reports that the package follows a program of this name by itself.
func Known(name string) bool {
	_, k := kindOf(name)
	return wrapperIndex()[name] != nil || k == shellProgram || k == codeProgram || has(followed, name)
}
