package shell

// inertKind tells the programs that no row and no code of this package
// follows: 1, or 2 if options may stand before their subcommand, 3 if only
// some subcommands run something, 4 if only options do, else 0. It is written
// from the tables by inert_test.go: a switch needs nothing at start.
func inertKind(name string) uint8 {
	switch name {
	case ":", "[", "ab", "ack", "actionlint", "ag", "age", "aider", "ansible-playbook", "ansible-vault", "ant", "apropos", "apt-cache", "apt-mark", "ar",
		"arch", "aria2c", "artisan", "asciidoc", "ast-grep", "b2sum", "bandit", "base32", "base64", "basename", "bat", "batcat", "bats", "bc", "bg", "bibtex",
		"biome", "bison", "black", "blkid", "blockdev", "bootctl", "bq", "break", "btrfs", "buf", "buildah", "bunzip2", "busctl", "bzcat", "bzip2", "bzr",
		"c++", "cal", "caller", "cat", "cc", "cdk", "chage", "chattr", "chgrp", "chmod", "chown", "chpasswd", "chsh", "cksum", "clang", "clang++",
		"clang-format", "clang-tidy", "claude", "clear", "clippy-driver", "cloc", "cmp", "code", "codespell", "codex", "column", "comm", "compopt", "consul",
		"continue", "convert", "corepack", "cosign", "coverage", "cp", "cpio", "crane", "createdb", "cscope", "csplit", "ctags", "ctr", "curl", "cursor",
		"cut", "cvs", "cypress", "dart", "date", "dbus-send", "dc", "dd", "declare", "defaults", "delta", "df", "diff", "diff3", "dig", "dir", "dircolors",
		"dirname", "dirs", "diskutil", "disown", "dlv", "dmesg", "dnsdomainname", "domainname", "dos2unix", "dot", "dpkg", "dpkg-deb", "dpkg-query",
		"dpkg-reconfigure", "drill", "dropdb", "du", "dune", "dvc", "e2fsck", "echo", "egrep", "eksctl", "elinks", "emacsclient", "emerge", "enable",
		"esbuild", "eslint", "etcdctl", "exa", "exiftool", "exit", "expand", "expr", "eza", "factor", "fallocate", "false", "fc", "fdisk", "ffmpeg", "ffplay",
		"ffprobe", "fg", "fgrep", "file", "finger", "firebase", "flake8", "flex", "flutter", "flux", "fmt", "fnm", "fold", "fossil", "free", "fsck", "ftp",
		"fuser", "g++", "gcc", "gdbus", "gem", "gemini", "getconf", "getent", "getfacl", "getopt", "getopts", "ghc", "gio", "gio-trash", "git-crypt",
		"git-filter-repo", "git-lfs", "git-secret", "gitleaks", "gofmt", "gofumpt", "golangci-lint", "gopls", "gparted", "gpg", "gpg2", "gpgconf", "gprof",
		"gradle", "gradlew", "grep", "groupadd", "groups", "grype", "gs", "gsutil", "gunzip", "gzip", "hadolint", "hash", "hcloud", "hd", "head", "helix",
		"help", "hexdump", "hey", "history", "host", "hostid", "hostname", "hostnamectl", "http", "https", "hx", "ibmcloud", "iconv", "id", "identify",
		"ifconfig", "influx", "info", "install", "ipcs", "iptables", "isort", "istioctl", "jar", "java", "javac", "jest", "joe", "join", "jq", "jupyter",
		"k3d", "k3s", "k6", "k9s", "kafka-topics", "kak", "kdig", "kill", "killall", "kind", "kotlinc", "kustomize", "l", "last", "lastlog", "latex",
		"launchctl", "ld", "ldconfig", "ldd", "lein", "lerna", "lessecho", "let", "lftp", "link", "linode-cli", "ll", "llm", "ln", "local", "locale",
		"localectl", "locate", "logger", "login", "loginctl", "logname", "logout", "logrotate", "look", "losetup", "ls", "lsattr", "lsblk", "lscpu", "lsmod",
		"lsof", "lspci", "lsusb", "lvs", "lz4", "lzma", "magick", "makeinfo", "mapfile", "markdownlint", "md5", "md5sum", "mdadm", "mdfind", "mdutil",
		"micro", "minikube", "mkdir", "mkdocs", "mke2fs", "mkfifo", "mkfs", "mknod", "mktemp", "mocha", "modinfo", "modprobe", "mongodump", "mongorestore",
		"more", "mount", "mpstat", "mpv", "msbuild", "mv", "mvn", "mvnw", "mypy", "mysqldump", "n", "nah", "namei", "nano", "nats", "nc.openbsd", "netlify",
		"netstat", "networkctl", "nft", "nix-build", "nix-env", "nix-store", "nl", "nm", "nmap", "node-gyp", "nomad", "notify-send", "nox", "nproc",
		"nslookup", "nuget", "numfmt", "nvm", "nx", "objdump", "oci", "od", "ollama", "open", "openssl", "osqueryi", "packer", "pacman", "pandoc", "parcel",
		"parted", "passwd", "paste", "patch", "pathchk", "pbcopy", "pbpaste", "pdflatex", "pdftotext", "pg_ctl", "pg_dump", "pg_restore", "pgrep", "phpcs",
		"phpunit", "pico", "pidof", "ping", "ping6", "pkill", "playwright", "pmap", "pod", "popd", "port", "pr", "pre-commit", "prettier", "printenv",
		"printf", "protoc", "protoc-gen-go", "ps", "pstree", "ptx", "pushd", "pvs", "pwd", "pwdx", "pylint", "pyright", "pytest", "rails", "railway", "rake",
		"read", "readarray", "readelf", "readlink", "readonly", "readtags", "realpath", "rebar3", "reboot", "redis-server", "rename", "reset", "resize2fs",
		"resolvectl", "return", "rev", "ripgrep", "rm", "rmdir", "rollup", "route", "rpm", "rspec", "rubocop", "ruff", "rustc", "rustfmt", "s3cmd", "sam",
		"say", "sbt", "scalac", "scrot", "sd", "semgrep", "seq", "serverless", "service", "set", "setfacl", "sg-scan", "sha1sum", "sha224sum", "sha256sum",
		"sha384sum", "sha512sum", "shasum", "shellcheck", "shfmt", "shift", "shopt", "shred", "shuf", "shutdown", "siege", "size", "skopeo", "sl", "sleep",
		"snyk", "softwareupdate", "sops", "sphinx-build", "sqlite", "ss", "stat", "staticcheck", "strings", "strip", "stripe", "stty", "stylelint", "subl",
		"sum", "supabase", "suspend", "sw_vers", "swapoff", "swapon", "swift", "swiftc", "syft", "sync", "sysctl", "tac", "tail", "tectonic", "tee", "telnet",
		"test", "texi2any", "tig", "tilt", "timedatectl", "times", "tldr", "tmutil", "tokei", "top", "touch", "tox", "tput", "tr", "tracepath", "traceroute",
		"trash", "trash-list", "trash-put", "tree", "trivy", "true", "trufflehog", "truncate", "tsc", "tsort", "tty", "tune2fs", "turbo", "twine", "type",
		"typeset", "typst", "udevadm", "ulimit", "umask", "umount", "unalias", "uname", "unexpand", "uniq", "unix2dos", "unlink", "unrar", "unset", "unxz",
		"unzip", "update-alternatives", "uptime", "useradd", "userdel", "usermod", "users", "uudecode", "uuencode", "vale", "vdir", "vegeta", "vercel", "vgs",
		"virtualenv", "visudo", "vite", "vitest", "vlc", "vmstat", "volta", "w", "wait", "wall", "wc", "webpack", "wget", "whatis", "whence", "where",
		"whereis", "which", "who", "whoami", "whois", "wipefs", "wmctrl", "wrangler", "write", "wrk", "xclip", "xcodebuild", "xcrun", "xdg-open", "xelatex",
		"xh", "xmllint", "xrandr", "xsel", "xxd", "xz", "xzcat", "yamllint", "yes", "yq", "zcat", "zed", "zfs", "zgrep", "zless", "zpool", "zstd", "zstdcat":
		return 1
	case "apk", "apt", "apt-get", "aptitude", "argocd", "aws", "az", "brew", "cargo", "deno", "dnf", "doctl", "dotnet", "flatpak", "flyctl", "gh", "glab",
		"helm", "hg", "ip", "jj", "journalctl", "pip", "pip3", "pkg", "podman-compose", "pulumi", "rclone", "redis-cli", "skaffold", "snap", "svn",
		"systemctl", "terraform", "terragrunt", "tofu", "vault", "virsh", "yum", "zypper":
		return 2
	case "asdf", "aws-vault", "bundle", "cabal", "chamber", "composer", "conda", "crictl", "devbox", "direnv", "distrobox", "docker", "docker-compose",
		"doppler", "fly", "gcloud", "go", "guix", "hatch", "heroku", "kubectl", "lxc", "machinectl", "mamba", "micromamba", "mise", "mix", "multipass",
		"nerdctl", "nix", "npm", "oc", "op", "opam", "pdm", "pipenv", "pipx", "pixi", "pnpm", "podman", "poetry", "pyenv", "rbenv", "rustup", "rye", "stack",
		"toolbox", "uv", "vagrant", "yarn":
		return 3
	case "ansible", "cmake", "fzf", "gmake", "jobs", "less", "make", "nc", "ncat", "rg":
		return 4
	}
	return 0
}

// inertSubs are the subcommands of a program of kind 3 that run something.
func inertSubs(name string) string {
	switch name {
	case "mix":
		return "cmd"
	case "docker", "nerdctl", "podman":
		return "compose exec run"
	case "gcloud":
		return "compute"
	case "kubectl", "oc":
		return "debug exec run"
	case "nix":
		return "develop shell"
	case "pnpm", "yarn":
		return "dlx exec"
	case "distrobox":
		return "enter"
	case "asdf", "aws-vault", "bundle", "cabal", "chamber", "composer", "crictl", "direnv", "lxc", "multipass", "opam", "pyenv", "rbenv", "stack":
		return "exec"
	case "docker-compose":
		return "exec run"
	case "mise", "npm":
		return "exec x"
	case "conda", "devbox", "doppler", "hatch", "heroku", "mamba", "micromamba", "op", "pdm", "pipenv", "pipx", "pixi", "poetry", "rustup", "rye", "toolbox":
		return "run"
	case "go":
		return "run test"
	case "uv":
		return "run tool"
	case "guix", "machinectl":
		return "shell"
	case "fly", "vagrant":
		return "ssh"
	}
	return ""
}
