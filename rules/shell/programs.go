package shell

import (
	"path"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

// kind is what the package knows about a program that is not a wrapper.
type kind uint8

const (
	unheard kind = iota // its operands may be a command
	data                // its operands are never run
	shellProgram
	codeProgram // runs text in another language
)

// dataPrograms run none of their operands.
const dataPrograms = `
: [ ar arch asciidoc aws az b2sum base32 base64 basename bc bg bind bison blkid blockdev break bzip2 bunzip2 bzcat
cal caller cat chattr chgrp chmod chown chpasswd chsh cksum clear cmake cmp column comm compgen complete compopt continue convert cp cpio csplit curl cut
date dc dd declare df diff diff3 dig dir dircolors dirname dirs disown dmesg dnf dnsdomainname domainname dos2unix dot dpkg dpkg-query du
echo ed egrep elinks enable exiftool exit expand expr factor fallocate false fc fdisk ffmpeg ffprobe fg fgrep file finger flex fmt fold free fsck fuser
gcc g++ cc c++ clang clang++ clang-format clang-tidy ld gem getconf getent getfacl getopt getopts gio gofmt golangci-lint gpg gpg2 gpgconf gprof grep groupadd groups gsutil gunzip gzip
hash hd head help hexdump hg history host hostid hostname hostnamectl iconv id identify ifconfig info install ip iptables ipcs
jobs join journalctl jq kill killall l last lastlog ldconfig ldd less lessecho let ll link ln local locale locate logger login logname logout logrotate look losetup ls lsattr lsblk lscpu lsmod lsof lspci lsusb lz4 lzma
make gmake mapfile md5 md5sum mdfind minikube mkdir mkfifo mkfs mknod mktemp modinfo modprobe more mount mpstat mv
nah namei nano nc ncat nc.openbsd netstat nft nl nm nmap notify-send nslookup nproc numfmt objdump od open openssl
passwd paste patch pathchk pdftotext pgrep pidof ping ping6 pkill pmap popd pr printenv printf ps pstree ptx pushd pwd pwdx
rclone read readarray readelf readlink readonly realpath reboot rename reset return rev rg ripgrep rm rmdir route rpm
s3cmd say seq service set setfacl sha1sum sha224sum sha256sum sha384sum sha512sum shasum shift shopt shred shuf shutdown size sleep snap sops sqlite sqlite3 ss stat strings strip stty suspend sum swapoff swapon sync sysctl systemctl
tac tail tee test tig times tldr top touch tput tr tracepath traceroute tree true truncate tsort tty type typeset
ulimit umask umount unalias uname unexpand uniq unix2dos unlink unrar unset unxz unzip uptime useradd userdel usermod users uudecode uuencode
vdir sudoedit visudo vmstat w wait wall wc wget whatis whereis which whence where who whoami whois write xclip xdg-open xmllint xsel xxd xz xzcat yes yq zcat zgrep zless zstd zstdcat
apropos ack ag ast-grep sg-scan bat batcat delta eza exa fzf sd tokei cloc pbcopy pbpaste osqueryi defaults diskutil sw_vers launchctl
apt apt-get apt-cache apt-mark aptitude yum zypper pacman apk brew port emerge pkg flatpak softwareupdate trash trash-put trash-list gio-trash
git gh glab svn bzr cvs jj sl dvc fossil
npm pnpm yarn bun deno node-gyp corepack volta nvm fnm n nx turbo lerna tsc tsx ts-node esbuild vite webpack rollup parcel eslint prettier jest vitest mocha playwright cypress biome stylelint
pip pip3 pipx poetry pdm pipenv uv conda mamba micromamba pyenv virtualenv tox nox pytest mypy pyright ruff black isort flake8 pylint bandit coverage pre-commit hatch rye pixi twine sphinx-build mkdocs jupyter
cargo rustc rustup rustfmt clippy-driver go gofumpt staticcheck gopls dlv buf protoc protoc-gen-go
mvn gradle gradlew gradlew mvnw java javac jar kotlinc sbt scalac ant lein
bundle rake rails rspec rubocop rbenv composer phpunit phpcs artisan mix rebar3 stack cabal ghc opam dune dotnet msbuild nuget swift swiftc xcodebuild xcrun pod flutter dart
docker docker-compose podman podman-compose nerdctl buildah skopeo crane kubectl oc helm kustomize k9s kind k3d k3s minikube skaffold tilt argocd flux istioctl terraform tofu terragrunt pulumi packer vagrant vault consul nomad ansible ansible-playbook ansible-vault
gcloud bq heroku fly flyctl vercel netlify wrangler doctl linode-cli hcloud oci ibmcloud eksctl sam cdk serverless firebase supabase stripe railway
mysqldump pg_dump pg_restore createdb dropdb pg_ctl redis-cli redis-server mongodump mongorestore influx etcdctl nats kafka-topics
direnv mise asdf nix nix-env nix-build nix-store guix devbox lxc multipass virsh distrobox toolbox op doppler chamber aws-vault age
shellcheck shfmt bats hadolint yamllint actionlint markdownlint trivy grype syft snyk semgrep gitleaks trufflehog cosign codespell vale
useradd groupadd chage crictl ctr loginctl timedatectl localectl machinectl networkctl resolvectl udevadm bootctl dpkg-deb dpkg-reconfigure update-alternatives
gdbus busctl dbus-send xdotool xrandr wmctrl scrot ffplay mpv vlc magick gs pandoc pdflatex latex xelatex bibtex makeinfo texi2any tectonic typst
ollama llm claude codex gemini aider cursor code subl zed emacsclient micro helix hx kak pico joe dig kdig drill telnet aria2c http https xh hey ab wrk k6 vegeta siege
ctags cscope readtags git-lfs git-crypt git-filter-repo git-secret tmutil mdutil zfs zpool btrfs lvs vgs pvs mdadm parted gparted mke2fs tune2fs e2fsck resize2fs wipefs
print figlet cowsay toilet lolcat task zip ssh-add ssh-keygen ssh-copy-id ssh-keyscan sendmail limactl colima b2 lvremove lvcreate vgremove pvremove nix-collect-garbage gpasswd darcs p4 git-annex pm2 mc hdfs hadoop 
split atq atrm atd hub bitbucket jira linear dialog whiptail zenity kdialog rich glow mdcat banner espeak festival spd-say say lpr lp lpq lprm cancel mutool qpdf pdftk ocrmypdf tesseract flac lame gallery-dl
adduser deluser delgroup addgroup groupdel groupmod newusers vipw pwck grpck faillock lastb utmpdump last getcap setcap setsebool getsebool chcon restorecon semanage auditctl ausearch aa-status apparmor_parser ufw firewall-cmd nmcli iw iwconfig ethtool arp tc bridge rfkill bluetoothctl
depmod rmmod insmod lsipc ipcrm ipcmk sar iostat iotop htop btop atop glances nload iftop nethogs vnstat powertop sensors dmidecode lshw hwinfo inxi hdparm smartctl nvme fstrim blkdiscard cryptsetup dmsetup pvcreate pvdisplay vgcreate vgdisplay lvdisplay lvextend lvresize xfs_info xfs_growfs tune.exfat mkswap sgdisk cfdisk sfdisk partprobe kpartx findmnt mountpoint
jsonlint json_pp csvcut csvlook mlr dasel gron jless fx hjson taplo toml yamlfmt rome oxlint stylua luacheck selene rubyfmt clippy nixfmt alejandra statix deadnix ktlint detekt swiftlint swiftformat checkstyle cppcheck cpplint include-what-you-use flawfinder credo hlint ormolu fourmolu elm elm-format purs spago ocamlformat gleam zig odin nim crystal
cscope rtags global gtags universal-ctags pt sift ugrep ripgrep-all rga fselect mcfly zoxide autojump tree-sitter difft diffoscope icdiff colordiff wdiff meld kdiff3 opendiff vimdiff3 interdiff combinediff
createuser dropuser pgbench pg_basebackup pg_isready initdb mysqladmin mysqlimport mysqlshow mongoexport mongoimport mongostat cqlsh nodetool rabbitmqctl kafka-console-producer kafkacat influxd clickhouse-client cypher-shell neo4j-admin
rustic kopia duplicity bup borgmatic rdiff-backup dar pax lha arj cabextract 7zr p7zip unar lsar zipinfo zipnote zipsplit pigz pbzip2 pxz lrzip lzip lzop brotli snzip uncompress compress
flyway liquibase alembic sqlc dbmate goose migrate prisma sequelize knex typeorm supabase turso wasm-pack trunk cargo-edit bazelisk buildifier gn scons waf premake5 xmake
ng vue nuxt next gatsby astro remix svelte-kit expo react-native ionic cordova capacitor storybook lighthouse surge now gh-pages np semantic-release standard-version commitlint husky lint-staged lefthook changeset release-it auto-changelog git-cliff conventional-changelog`

const shellNames = `sh bash rbash dash ash zsh ksh ksh93 mksh oksh pdksh loksh yash posh fish csh tcsh elvish nu xonsh osh oil hush`

// programs says of what kind a program is; it is never written after.
var programs = sync.OnceValue(func() map[string]kind {
	m := map[string]kind{}
	for _, name := range strings.Fields(dataPrograms) {
		m[name] = data
	}
	for _, name := range strings.Fields(shellNames) {
		m[name] = shellProgram
	}
	for name := range languages() {
		m[name] = codeProgram
	}
	return m
})

// kindOf looks a program, without the version at the end of its name
// (python3.12, ruby2.7, lua5.4).
func kindOf(name string) (string, kind) {
	if k := programs()[name]; k != unheard {
		return name, k
	}
	short := strings.TrimRight(name, "0123456789.-")
	if k := programs()[short]; k == codeProgram || k == shellProgram {
		return short, k
	}
	if strings.HasPrefix(name, "ld-linux") || strings.HasPrefix(name, "ld-musl") {
		return "ld-linux", unheard
	}
	return name, unheard
}

// shifts are the options that may stand between a program and its
// subcommand: those with a value as the next word. All other words with a
// dash stand for themselves.
var shifts = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"git":     "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source",
		"kubectl": "-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --certificate-authority --client-certificate --client-key --request-timeout -v --cache-dir --tls-server-name --profile", "oc": "-n --namespace --context --cluster --user --kubeconfig -s --server --token --as",
		"docker": "-c --context -H --host -l --log-level --config --tlscacert --tlscert --tlskey", "podman": "-c --connection --url --log-level --root --runroot --identity --storage-driver --cgroup-manager --runtime", "nerdctl": "-n --namespace -a --address -H --host --data-root --snapshotter",
		"docker compose": "-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel --progress", "docker-compose": "-f --file -p --project-name --profile --env-file --project-directory -H --host", "podman-compose": "-f --file -p --project-name",
		"npm": "--prefix -C -w --workspace --registry --userconfig --cache --loglevel", "pnpm": "-C --dir -F --filter --prefix -w", "yarn": "--cwd --registry", "bun": "--cwd --config -c", "deno": "",
		"git submodule": "", "cargo": "-C --config -Z --color --manifest-path", "go": "-C", "rustup": "", "gh": "-R --repo --hostname", "glab": "-R --repo",
		"aws": "--profile --region --endpoint-url --output --query --cli-read-timeout --cli-connect-timeout --ca-bundle --color", "gcloud": "--project --account --configuration --verbosity --format --impersonate-service-account", "az": "--subscription --output -o --query", "terraform": "", "tofu": "", "terragrunt": "--terragrunt-config --terragrunt-working-dir", "pulumi": "-C --cwd --color", "helm": "-n --namespace --kube-context --kubeconfig --kube-apiserver --kube-token --registry-config --repository-config",
		"systemctl": "-H --host -M --machine -t --type -p --property -o --output -n --lines", "journalctl": "", "machinectl": "-H --host -M --machine",
		"pip": "--proxy --cache-dir --log --python --index-url --timeout --retries", "pip3": "--proxy --cache-dir --log --python", "poetry": "-C --directory -P --project", "uv": "--directory --project --config-file --cache-dir --color", "pdm": "-p --project -c --config", "pipenv": "--python", "conda": "", "mamba": "", "pixi": "--manifest-path", "hatch": "-e --env -p --project --config", "bundle": "--gemfile --path", "composer": "-d --working-dir", "dotnet": "", "mix": "",
		"apt": "-o -c -t --option --target-release", "apt-get": "-o -c -t --option --config-file --target-release --default-release", "aptitude": "-o -t", "dnf": "-c --config -x --exclude --releasever --installroot --enablerepo --disablerepo --setopt", "yum": "-c --config -x --exclude --releasever --installroot --enablerepo --disablerepo --setopt", "zypper": "-R --root -c --config --installroot", "apk": "-p --root -X --repository", "brew": "", "flatpak": "", "snap": "", "pkg": "-c -r -j -o",
		"hg": "-R --repository --cwd --config --encoding", "svn": "--username --password --config-dir", "jj": "-R --repository --at-operation --config", "ip": "-n -netns -b -family", "nix": "--option --extra-experimental-features --store", "adb": "-s -t -H -P", "virsh": "-c --connect", "lxc": "--project", "vagrant": "", "fly": "-a --app -c --config", "flyctl": "-a --app -c --config", "heroku": "-a --app", "vault": "", "rclone": "--config", "restic": "-r --repo -p --password-file", "borg": "", "redis-cli": "-h -p -a -n -u", "mise": "-C --cd", "direnv": "", "doctl": "-t --access-token --context", "argocd": "--server --auth-token --config", "skaffold": "-f --filename -p --profile", "tmux": "-L -S -f -c -T",
	}
})

// granted are the options of shifts that a grant may look past: they choose
// where a command works, not what it runs.
var granted = map[string]string{"git": "-C --no-pager -P --no-optional-locks --literal-pathspecs"}

// shifted returns how many words after argv[head] are options that stand
// between a program, of the name key, and its subcommand.
func shifted[W any](argv []W, head int, key string, text func(W) string) int {
	values, ok := shifts()[key]
	if !ok {
		return 0
	}
	i := head + 1
	for i < len(argv) {
		x := text(argv[i])
		if len(x) < 2 || x[0] != '-' && (x[0] != '+' || key != "cargo") {
			break // cargo +nightly build
		}
		if key == "git" && has("--help -h --version -v", x) {
			return 0 // the subcommand is not run
		}
		i++
		if x == "--" {
			break
		}
		if has(values, x) {
			i++
		}
	}
	if i >= len(argv) {
		return 0 // options only: `git --version`
	}
	return i - head - 1
}

func wordText(w hook.Word) string { return w.Text }

// normalise drops the directory of the program and the options before its
// subcommand. It returns argv itself where there is nothing to drop.
func normalise(argv []hook.Word) []hook.Word {
	if len(argv) == 0 {
		return argv
	}
	name, known := programName(argv[0])
	if !known {
		return argv
	}
	skip := shifted(argv, 0, name, wordText)
	more := 0
	if sub := 1 + skip; sub < len(argv) && name == "docker" && argv[sub].Text == "compose" {
		more = shifted(argv, sub, "docker compose", wordText)
	}
	if skip+more == 0 && name == argv[0].Text {
		return argv
	}
	out := append(make([]hook.Word, 0, len(argv)), hook.Word{Text: name, Known: true})
	if more > 0 {
		out = append(out, argv[1+skip])
		skip++
	}
	return append(out, argv[1+skip+more:]...)
}

// programName is the base name of the program, and whether it is certain.
func programName(w hook.Word) (string, bool) {
	if w.Known {
		if strings.IndexByte(w.Text, '/') < 0 || strings.HasSuffix(w.Text, "/") {
			return w.Text, true
		}
		return path.Base(w.Text), true
	}
	return quotedBase(w.Text)
}

// quotedBase is the base name of a word whose directory is unknown: "$DIR/x",
// "$DIR"/x and ~/bin/x run a program x wherever they look for it.
func quotedBase(source string) (string, bool) {
	text := source
	if strings.HasPrefix(text, "${HOME}/") || strings.HasPrefix(text, "${PWD}/") {
		text = strings.Replace(strings.Replace(text, "{", "", 1), "}", "", 1)
	}
	if inner, ok := strings.CutPrefix(text, `"`); ok {
		if text, ok = strings.CutSuffix(inner, `"`); !ok {
			if text = strings.Replace(inner, `"/`, "/", 1); text == inner {
				return "", false
			}
		}
	} else if !strings.HasPrefix(text, "~") && !strings.HasPrefix(text, "$HOME/") && !strings.HasPrefix(text, "$PWD/") ||
		strings.IndexByte(text[1:], '$') >= 0 {
		return "", false
	}
	dir, name, ok := cutLast(text, '/')
	if !ok || name == "" || strings.ContainsAny(dir, "\"'`\\()*?[ \t\n") {
		return "", false
	}
	for i := 0; i < len(name); i++ {
		if !plainByte[name[i]] || name[i] == ' ' {
			return "", false
		}
	}
	return name, true
}

func cutLast(s string, sep byte) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}
