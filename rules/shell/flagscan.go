package shell

import (
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

// scan looks for the flags of groups in one word that starts with a dash.
type scan struct {
	groups   []flagGroup
	at       int // place of the word
	takes    func(option string) bool
	clusters bool
	short    bool // long options may be abbreviated
	out      *cutting
}

// word returns what remains of the word without the flags, and whether the
// next word is the value of an option in it.
func (s *scan) word(word string) (left string, value bool) {
	name, _, valued := strings.Cut(word, "=")
	if s.hit(name) {
		return "", !valued && s.takes(name)
	}
	if word[1] == '-' || !s.clusters {
		return word, !valued && s.takes(name)
	}
	kept, took := append(make([]byte, 0, len(word)), '-'), false // took: the letter before was a flag
	for i := 1; i < len(word); i++ {
		option := "-" + word[i:i+1]
		hit := s.hit(option)
		switch {
		case hit:
		case !letter(word[i]) && took: // -i.bak, -j8: its value
			return trimDash(kept), false
		case !letter(word[i]):
			return string(append(kept, word[i:]...)), false
		default:
			kept = append(kept, word[i])
		}
		if took = hit; s.takes(option) {
			if !hit {
				kept = append(kept, word[i+1:]...)
			}
			return trimDash(kept), i == len(word)-1
		}
	}
	return trimDash(kept), false
}

// trimDash is a cluster, or nothing if it has lost all letters.
func trimDash(cluster []byte) string {
	if len(cluster) == 1 {
		return ""
	}
	return string(cluster)
}

// hit notes an option if it is a flag of some group.
func (s *scan) hit(option string) bool {
	hit := false
	for k := range s.groups {
		if s.at < s.groups[k].after {
			continue
		}
		for _, name := range s.groups[k].names {
			if name == option || s.short && abbreviation(option, name) {
				hit = true
				s.out.hits[k] = hook.Yes
			}
		}
	}
	if hit && !slices.Contains(s.out.found, option) {
		s.out.found = append(s.out.found, option)
	}
	return hit
}

// abbreviation reports that an option is the start of a long one, and no
// option by itself: not the --force of --force-with-lease.
func abbreviation(option, name string) bool {
	return len(option) > 2 && strings.HasPrefix(option, "--") && strings.HasPrefix(name, option) && name[len(option):] != "" && name[len(option)] != '-'
}

// fullNames are programs that want their long options spelled out.
const fullNames = "docker docker-compose podman nerdctl buildah skopeo crane kubectl oc helm gh glab hub terraform tofu go cargo rustc rustup uv ruff hugo fd rg bat eza jj deno minikube kind k3d " +
	"argocd flux istioctl gcloud vault consul nomad packer pulumi systemd-run doctl flyctl stripe trivy cosign find java javac yarn pnpm bun"

// abbreviates reports that a program may take the start of a long option for
// it, as getopt_long, git and npm do.
func abbreviates(program hook.Word) bool {
	name, _ := programName(program)
	return !has(fullNames, name) && !has(noClusters, name)
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// noClusters are programs whose options of several letters start with one dash.
const noClusters = "find gfind go terraform tofu terragrunt java javac jar openssl ffmpeg ffplay ffprobe magick convert identify packer consul vault nomad xrandr xdotool " +
	"gcc g++ cc c++ clang clang++ ld pdflatex xelatex latex ip adb virsh"

// flagHabits says how the program of a command reads its options: which take
// the next word or the rest of theirs as a value, and whether letters cluster.
func flagHabits(argv []hook.Word) (takes func(string) bool, clusters bool) {
	name := ""
	if len(argv) > 0 {
		name, _ = programName(argv[0])
	}
	list, ok := "", false
	if len(argv) > 1 && argv[1].Known {
		list, ok = flagValues()[name+" "+argv[1].Text]
	}
	if !ok {
		list, ok = flagValues()[name]
	}
	if !ok {
		list = valueOptions()[name]
	}
	row := wrapperIndex()[name]
	return func(option string) bool {
		if has(list, option) {
			return true
		}
		bare := strings.TrimLeft(option, "-")
		return row != nil && (has(row.Values, bare) || has(row.Shell, bare) || has(row.Chdir, bare))
	}, !has(noClusters, name)
}

// flagValues are options with a value, by program or by program and
// subcommand: what stands there is no flag.
var flagValues = sync.OnceValue(func() map[string]string {
	const (
		message = "-m --message -F --file -C -c --author --date -t --template --fixup --squash --trailer -u"
		run     = "-e --env -v --volume -p --publish -u --user -w --workdir --name --network -m --memory -l --label -h --hostname --entrypoint --mount --env-file --cpus -a --attach"
	)
	return map[string]string{
		"git commit": message, "git tag": message, "git merge": "-m -F --file -s --strategy -X --strategy-option", "git notes": message,
		"git push": "-o --push-option --repo --receive-pack --exec", "git branch": "-u --set-upstream-to --sort --format", "git reset": "", "git rm": "", "git mv": "", "git add": "--chmod",
		"git checkout": "-b -B --orphan", "git switch": "-c -C --create --force-create --orphan", "git clean": "-e --exclude", "git rebase": "--onto -x --exec -s --strategy -X --strategy-option",
		"git log": "--author --grep --format --pretty -S -G -n -L --since --until --after --before", "git clone": "-b --branch -o --origin -u --upload-pack -c --config --depth --reference", "git stash": "-m --message", "git restore": "-s --source",
		"git fetch": "-o --server-option --depth --refmap -j --jobs --upload-pack", "git pull": "-s --strategy -X --strategy-option --depth", "git worktree": "-b -B --reason", "git diff": "-S -G -U -O",
		"docker run": run, "docker exec": run, "docker create": run, "podman run": run, "podman exec": run, "docker build": "-t --tag -f --file --build-arg --target --platform -o --output -c -m",
		"docker rm": "", "docker rmi": "", "docker push": "", "docker ps": "-f --filter -n --format", "docker logs": "-n --tail --since --until",
		"kubectl": "-n --namespace -f --filename -l --selector -o --output -c --container --context -k --kustomize -p --patch", "kubectl logs": "-n --namespace -l --selector -c --container --context --since --tail",
		"helm": "-n --namespace -f --values --set --set-string --version --kube-context", "npm": "--prefix -C -w --workspace --registry --tag --otp", "cargo": "-p --package -F --features -j --jobs --target --bin --example --test --manifest-path -Z", "pip": "-r --requirement -c --constraint -e --editable -i --index-url -t --target", "pip3": "-r --requirement -c --constraint -e --editable -i --index-url -t --target",
		"curl": "-d --data --data-raw --data-binary --data-urlencode -H --header -o --output -X --request -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -F --form -T --upload-file -x --proxy -m --max-time -w --write-out -E --cert -K --config -C -P -Q -r -t -D -y -Y -z",
		"wget": "-O -o -a -P -e -U -i -t -T -A -R -D -I -X -l -w -Q --header --post-data --output-document --user --password", "ssh": "-o -i -p -l -F -L -R -D -b -c -e -J -m -S -W -w -E -I -O -Q", "scp": "-o -i -P -F -c -S -l -J",
		"tar": "-f --file -C --directory -T -X -I -b --exclude", "rsync": "-e --rsh --exclude --include --filter -f -M -T --files-from --rsync-path", "grep": "-e --regexp -f --file -A -B -C -m -d -D --include --exclude", "sed": "-e --expression -f --file -l --line-length", "awk": "-F -v -f",
		"sort": "-k --key -t -o --output -S -T", "head": "-n -c", "tail": "-n -c", "cut": "-d -f -c -b", "cp": "-t --target-directory -S --suffix", "mv": "-t --target-directory -S --suffix", "ln": "-t --target-directory -S --suffix", "install": "-t --target-directory -S --suffix -m --mode -o --owner -g --group",
		"mkdir": "-m --mode", "touch": "-d -t -r", "make": "-C -f -I -o -W", "psql": "-c -f -d -h -U -p -v -o", "mysql": "-e -u -h -P -D", "useradd": "-c -d -e -g -G -s -u -p", "usermod": "-c -d -e -g -G -s -u -p -l", "zip": "-x -i -n -t", "unzip": "-d -x -P", "7z": "",
		"systemctl": "-H --host -M --machine -t --type -p --property -o --output -n --lines -s --signal", "gh": "-t --title -b --body -R --repo -F --body-file -B --base -H --head", "jq": "--arg --argjson -f --from-file --indent", "pkill": "-u -g -P -t -s -G -U", "kill": "-s -n",
	}
})
