package shell

// inertKind tells the programs that no row and no code of this package
// follows: 1, or 2 if options may stand before their subcommand, 3 if only
// some subcommands run something, 4 if only options do, else 0. It is written
// from the tables by inert_test.go: a switch needs nothing at start.
func inertKind(name string) uint8 {
	switch name {
	case "7zr", ":", "[", "aa-status", "ab", "ack", "actionlint", "addgroup", "adduser", "ag", "age", "aider", "alejandra", "alembic", "ansible-playbook", "ansible-vault", "ant", "apparmor_parser",
		"apropos", "apt-cache", "apt-mark", "ar", "arch", "aria2c", "arj", "arp", "artisan", "asciidoc", "ast-grep", "astro", "atd", "atop", "atq", "atrm", "auditctl", "ausearch", "auto-changelog",
		"autojump", "b2", "b2sum", "bandit", "banner", "base32", "base64", "basename", "bat", "batcat", "bats", "bazelisk", "bc", "bg", "bibtex", "biome", "bison", "bitbucket", "black",
		"blkdiscard", "blkid", "blockdev", "bluetoothctl", "bootctl", "borgmatic", "bq", "break", "bridge", "brotli", "btop", "btrfs", "buf", "buildah", "buildifier", "bunzip2", "bup", "busctl",
		"bzcat", "bzip2", "bzr", "c++", "cabextract", "cal", "caller", "cancel", "capacitor", "cargo-edit", "cat", "cc", "cdk", "cfdisk", "chage", "changeset", "chattr", "chcon", "checkstyle",
		"chgrp", "chmod", "chown", "chpasswd", "chsh", "cksum", "clang", "clang++", "clang-format", "clang-tidy", "claude", "clear", "clickhouse-client", "clippy", "clippy-driver", "cloc", "cmp",
		"code", "codespell", "codex", "colordiff", "column", "combinediff", "comm", "commitlint", "compopt", "compress", "consul", "continue", "conventional-changelog", "convert", "cordova",
		"corepack", "cosign", "coverage", "cowsay", "cp", "cpio", "cppcheck", "cpplint", "cqlsh", "crane", "createdb", "createuser", "credo", "cryptsetup", "crystal", "cscope", "csplit", "csvcut",
		"csvlook", "ctags", "ctr", "curl", "cursor", "cut", "cvs", "cypher-shell", "cypress", "dar", "darcs", "dart", "dasel", "date", "dbmate", "dbus-send", "dc", "dd", "deadnix", "declare",
		"defaults", "delgroup", "delta", "deluser", "depmod", "detekt", "df", "dialog", "diff", "diff3", "diffoscope", "difft", "dig", "dir", "dircolors", "dirname", "dirs", "diskutil", "disown",
		"dlv", "dmesg", "dmidecode", "dmsetup", "dnsdomainname", "domainname", "dos2unix", "dot", "dpkg", "dpkg-deb", "dpkg-query", "dpkg-reconfigure", "drill", "dropdb", "dropuser", "du", "dune",
		"duplicity", "dvc", "e2fsck", "echo", "egrep", "eksctl", "elinks", "elm", "elm-format", "emacsclient", "emerge", "enable", "esbuild", "eslint", "espeak", "etcdctl", "ethtool", "exa",
		"exiftool", "exit", "expand", "expo", "expr", "eza", "factor", "faillock", "fallocate", "false", "fc", "fdisk", "festival", "ffmpeg", "ffplay", "ffprobe", "fg", "fgrep", "figlet", "file",
		"findmnt", "finger", "firebase", "firewall-cmd", "flac", "flake8", "flawfinder", "flex", "flutter", "flux", "flyway", "fmt", "fnm", "fold", "fossil", "fourmolu", "free", "fsck", "fselect",
		"fstrim", "fuser", "fx", "g++", "gallery-dl", "gatsby", "gcc", "gdbus", "gem", "gemini", "getcap", "getconf", "getent", "getfacl", "getopt", "getopts", "getsebool", "gh-pages", "ghc", "gio",
		"gio-trash", "git-annex", "git-cliff", "git-crypt", "git-filter-repo", "git-lfs", "git-secret", "gitleaks", "glances", "gleam", "global", "glow", "gn", "gofmt", "gofumpt", "golangci-lint",
		"goose", "gopls", "gparted", "gpasswd", "gpg", "gpg2", "gpgconf", "gprof", "gradle", "gradlew", "grep", "gron", "groupadd", "groupdel", "groupmod", "groups", "grpck", "grype", "gs",
		"gsutil", "gtags", "gunzip", "gzip", "hadolint", "hadoop", "hash", "hcloud", "hd", "hdfs", "hdparm", "head", "helix", "help", "hexdump", "hey", "history", "hjson", "hlint", "host", "hostid",
		"hostname", "hostnamectl", "htop", "http", "https", "hub", "husky", "hwinfo", "hx", "ibmcloud", "icdiff", "iconv", "id", "identify", "ifconfig", "iftop", "include-what-you-use", "influx",
		"influxd", "info", "initdb", "insmod", "install", "interdiff", "inxi", "ionic", "iostat", "iotop", "ipcmk", "ipcrm", "ipcs", "iptables", "isort", "istioctl", "iw", "iwconfig", "jar", "java",
		"javac", "jest", "jira", "jless", "joe", "join", "jq", "json_pp", "jsonlint", "jupyter", "k3d", "k3s", "k6", "k9s", "kafka-console-producer", "kafka-topics", "kafkacat", "kak", "kdialog",
		"kdiff3", "kdig", "kill", "killall", "kind", "knex", "kopia", "kotlinc", "kpartx", "ktlint", "kustomize", "l", "lame", "last", "lastb", "lastlog", "latex", "launchctl", "ld", "ldconfig",
		"ldd", "lefthook", "lein", "lerna", "lessecho", "let", "lha", "lighthouse", "linear", "link", "linode-cli", "lint-staged", "liquibase", "ll", "llm", "ln", "local", "locale", "localectl",
		"locate", "logger", "login", "loginctl", "logname", "logout", "logrotate", "lolcat", "look", "losetup", "lp", "lpq", "lpr", "lprm", "lrzip", "ls", "lsar", "lsattr", "lsblk", "lscpu", "lshw",
		"lsipc", "lsmod", "lsof", "lspci", "lsusb", "luacheck", "lvcreate", "lvdisplay", "lvextend", "lvremove", "lvresize", "lvs", "lz4", "lzip", "lzma", "lzop", "magick", "makeinfo", "mapfile",
		"markdownlint", "mc", "mcfly", "md5", "md5sum", "mdadm", "mdcat", "mdfind", "mdutil", "meld", "micro", "migrate", "minikube", "mkdir", "mkdocs", "mke2fs", "mkfifo", "mkfs", "mknod",
		"mkswap", "mktemp", "mlr", "mocha", "modinfo", "modprobe", "mongodump", "mongoexport", "mongoimport", "mongorestore", "mongostat", "more", "mount", "mountpoint", "mpstat", "mpv", "msbuild",
		"mutool", "mv", "mvn", "mvnw", "mypy", "mysqladmin", "mysqldump", "mysqlimport", "mysqlshow", "n", "nah", "namei", "nano", "nats", "nc.openbsd", "neo4j-admin", "nethogs", "netlify",
		"netstat", "networkctl", "newusers", "next", "nft", "ng", "nim", "nix-build", "nix-collect-garbage", "nix-env", "nix-store", "nixfmt", "nl", "nload", "nm", "nmap", "nmcli", "node-gyp",
		"nodetool", "nomad", "notify-send", "now", "nox", "np", "nproc", "nslookup", "nuget", "numfmt", "nuxt", "nvm", "nvme", "nx", "objdump", "ocamlformat", "oci", "ocrmypdf", "od", "odin",
		"ollama", "open", "opendiff", "openssl", "ormolu", "osqueryi", "oxlint", "p4", "p7zip", "packer", "pacman", "pandoc", "parcel", "parted", "partprobe", "passwd", "paste", "patch", "pathchk",
		"pax", "pbcopy", "pbpaste", "pbzip2", "pdflatex", "pdftk", "pdftotext", "pg_basebackup", "pg_ctl", "pg_dump", "pg_isready", "pg_restore", "pgbench", "pgrep", "phpcs", "phpunit", "pico",
		"pidof", "pigz", "ping", "ping6", "pkill", "playwright", "pm2", "pmap", "pod", "popd", "port", "powertop", "pr", "pre-commit", "premake5", "prettier", "print", "printenv", "printf",
		"prisma", "protoc", "protoc-gen-go", "ps", "pstree", "pt", "ptx", "purs", "pushd", "pvcreate", "pvdisplay", "pvremove", "pvs", "pwck", "pwd", "pwdx", "pxz", "pylint", "pyright", "pytest",
		"qpdf", "rabbitmqctl", "rails", "railway", "rake", "rdiff-backup", "react-native", "read", "readarray", "readelf", "readlink", "readonly", "readtags", "realpath", "rebar3", "reboot",
		"redis-server", "release-it", "remix", "rename", "reset", "resize2fs", "resolvectl", "restorecon", "return", "rev", "rfkill", "rga", "rich", "ripgrep", "ripgrep-all", "rm", "rmdir", "rmmod",
		"rollup", "rome", "route", "rpm", "rspec", "rtags", "rubocop", "rubyfmt", "ruff", "rustc", "rustfmt", "rustic", "s3cmd", "sam", "sar", "say", "sbt", "scalac", "scons", "scrot", "sd",
		"selene", "semanage", "semantic-release", "semgrep", "sendmail", "sensors", "seq", "sequelize", "serverless", "service", "set", "setcap", "setfacl", "setsebool", "sfdisk", "sg-scan",
		"sgdisk", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "shasum", "shellcheck", "shfmt", "shift", "shopt", "shred", "shuf", "shutdown", "siege", "sift", "size", "skopeo",
		"sl", "sleep", "smartctl", "snyk", "snzip", "softwareupdate", "sops", "spago", "spd-say", "sphinx-build", "sqlc", "sqlite", "ss", "ssh-add", "ssh-copy-id", "ssh-keygen", "ssh-keyscan",
		"standard-version", "stat", "staticcheck", "statix", "storybook", "strings", "strip", "stripe", "stty", "stylelint", "stylua", "subl", "sudoedit", "sum", "supabase", "surge", "suspend",
		"svelte-kit", "sw_vers", "swapoff", "swapon", "swift", "swiftc", "swiftformat", "swiftlint", "syft", "sync", "sysctl", "tac", "tail", "taplo", "task", "tc", "tectonic", "tee", "telnet",
		"tesseract", "test", "texi2any", "tig", "tilt", "timedatectl", "times", "tldr", "tmutil", "toilet", "tokei", "toml", "top", "touch", "tput", "tr", "tracepath", "traceroute", "trash",
		"trash-list", "trash-put", "tree", "tree-sitter", "trivy", "true", "trufflehog", "truncate", "trunk", "tsc", "tsort", "tty", "tune.exfat", "tune2fs", "turbo", "turso", "twine", "type",
		"typeorm", "typeset", "typst", "udevadm", "ufw", "ugrep", "ulimit", "umask", "umount", "unalias", "uname", "unar", "uncompress", "unexpand", "uniq", "universal-ctags", "unix2dos", "unlink",
		"unrar", "unset", "unxz", "unzip", "update-alternatives", "uptime", "useradd", "userdel", "usermod", "users", "utmpdump", "uudecode", "uuencode", "vale", "vdir", "vegeta", "vercel",
		"vgcreate", "vgdisplay", "vgremove", "vgs", "vimdiff3", "vipw", "virtualenv", "visudo", "vite", "vitest", "vlc", "vmstat", "vnstat", "volta", "vue", "w", "waf", "wait", "wall", "wasm-pack",
		"wc", "wdiff", "webpack", "whatis", "whence", "where", "whereis", "which", "whiptail", "who", "whoami", "whois", "wipefs", "wmctrl", "wrangler", "write", "wrk", "xclip", "xcodebuild",
		"xcrun", "xdg-open", "xelatex", "xfs_growfs", "xfs_info", "xh", "xmake", "xmllint", "xrandr", "xsel", "xxd", "xz", "xzcat", "yamlfmt", "yamllint", "yes", "yq", "zcat", "zed", "zenity",
		"zfs", "zgrep", "zig", "zipinfo", "zipnote", "zipsplit", "zless", "zoxide", "zpool", "zstd", "zstdcat":
		return 1
	case "apk", "apt", "apt-get", "aptitude", "argocd", "aws", "az", "brew", "dnf", "doctl", "dotnet", "flyctl", "gh", "glab", "helm", "hg", "ip", "jj", "journalctl", "pip", "pip3", "pkg",
		"podman-compose", "pulumi", "rclone", "redis-cli", "skaffold", "snap", "svn", "systemctl", "terraform", "terragrunt", "tofu", "vault", "virsh", "yum", "zypper":
		return 2
	case "asdf", "aws-vault", "bundle", "cabal", "cargo", "chamber", "colima", "composer", "conda", "crictl", "devbox", "direnv", "distrobox", "docker", "docker-compose", "doppler", "flatpak",
		"fly", "gcloud", "go", "guix", "hatch", "heroku", "kubectl", "limactl", "lxc", "machinectl", "mamba", "micromamba", "mise", "mix", "multipass", "nerdctl", "npm", "oc", "op", "opam", "pdm",
		"pipenv", "pipx", "pixi", "pnpm", "podman", "poetry", "pyenv", "rbenv", "rustup", "rye", "stack", "toolbox", "tox", "uv", "vagrant", "yarn":
		return 3
	case "ansible", "cmake", "fzf", "gmake", "jobs", "less", "make", "nc", "ncat", "rg", "split", "wget", "zip":
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
		return "compose container exec run"
	case "gcloud":
		return "compute"
	case "oc":
		return "debug exec rsh run"
	case "kubectl":
		return "debug exec run"
	case "pnpm", "yarn":
		return "dlx exec"
	case "distrobox":
		return "enter"
	case "asdf", "aws-vault", "bundle", "cabal", "chamber", "composer", "crictl", "direnv", "lxc", "multipass", "opam", "pyenv", "rbenv", "stack", "tox":
		return "exec"
	case "docker-compose":
		return "exec run"
	case "mise", "npm":
		return "exec x"
	case "conda", "devbox", "doppler", "flatpak", "hatch", "heroku", "mamba", "micromamba", "op", "pdm", "pipenv", "pipx", "pixi", "poetry", "rustup", "rye", "toolbox":
		return "run"
	case "go":
		return "run test"
	case "uv":
		return "run tool"
	case "guix", "limactl", "machinectl":
		return "shell"
	case "colima", "fly", "vagrant":
		return "ssh"
	case "cargo":
		return "watch"
	}
	return ""
}
