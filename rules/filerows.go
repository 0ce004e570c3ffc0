package rules

import "strings"

// textRows are programs that read or edit texts.
func textRows() map[string]fileCommand {
	return map[string]fileCommand{
		"sed|gsed":                   {all: rd, skip: 1, unskip: "-e -f --expression --file", values: "-l --line-length", in: "-f --file", writes: "-i --in-place", special: sedFiles},
		"awk|gawk|mawk|nawk":         {all: rd, skip: 1, unskip: "-f --file -e --source", in: "-f --file", values: "-v -F --assign --field-separator", writes: "-i", special: awkFiles},
		"perl":                       {all: rd, skip: 1, unskip: "-e -E", code: "-e -E", values: "-I", writes: "-i"},
		"yq":                         {all: rd, skip: 1, unskip: "--from-file", in: "--from-file", values: "-I --indent -o --output-format -p --input-format", writes: "-i --inplace"},
		"jq":                         {all: rd, skip: 1, unskip: "-f --from-file", in: "-f --from-file", values: "--arg --argjson --indent"},
		"sort":                       {all: rd, values: "-k -t -S -T --key --field-separator", in: "--files0-from", out: "-o --output"},
		"uniq":                       {all: rd, last: wr, values: "-f -s -w"},
		"shuf":                       {all: rd, values: "-n", out: "-o --output"},
		"head|tail":                  {all: rd, values: "-n -c -s --lines --bytes --pid"},
		"cut":                        {all: rd, values: "-d -f -c -b --delimiter --fields"},
		"column":                     {all: rd, values: "-s -c -o -N -E -R -T -W -H -O -C -n"},
		"base64|base32|basenc":       {all: rd, values: "-w --wrap", in: "-i", out: "-o"},
		"xxd":                        {all: rd, last: wr, values: "-c -g -l -s -o"},
		"diff|colordiff|sdiff|diff3": {all: rd, values: "-U -C -I -x -W -L --exclude --label", in: "-X --exclude-from", tree: "-r --recursive"},
		"iconv":                      {all: rd, values: "-f -t", out: "-o --output"},
		"date":                       {values: "-d -s -I --date --set", in: "-f -r --file --reference"},
		"grep|egrep|fgrep|zgrep|ggrep": {all: rd, skip: 1, unskip: "-e -f --regexp --file", values: "-A -B -C -m -d -D --max-count --include --exclude --exclude-dir --color --label",
			in: "-f --file --exclude-from", tree: "-r -R --recursive --dereference-recursive", walks: true},
		"rg|ag|ack|ugrep": {all: rd, skip: 1, unskip: "-e -f --regexp --file --files", values: "-A -B -C -m -g -t -T -j -M -r -E -d --max-count --glob --type --max-depth --ignore --color --replace",
			in: "-f --file --ignore-file", tree: "*", walks: true},
		"tee|sponge":                          {all: wr},
		"vim|vi|nvim|ex|vimdiff":              {all: rw, code: "-c --cmd -s -S", in: "-u", values: "-T"},
		"nano|emacs|ed|red|micro|hx|helix":    {all: rw},
		"pico|joe|kak|gedit|kate|code|cursor": {all: rw},
		"dos2unix|unix2dos|sudoedit":          {all: rw},
		"look":                                {all: rd, skip: 1},
		"envsubst|tsort":                      {},
	}
}

// moverRows are programs that make, move and remove files.
func moverRows() map[string]fileCommand {
	const modes = "-S --suffix -m --mode -o --owner -g --group"
	const deep = "-r -R -a --recursive --archive"
	writer := func(skip int, values string) fileCommand {
		return fileCommand{all: wr, skip: skip, values: values, unskip: "--reference", tree: "-R -r --recursive"}
	}
	return map[string]fileCommand{
		"cp|gcp":   {all: rd, last: wr, dir: "-t --target-directory", values: "-S --suffix --sparse --context", tree: deep},
		"mv|gmv":   {all: rw, last: wr, dir: "-t --target-directory", values: "-S --suffix", tree: "*"},
		"ln":       {all: rd, last: wr, dir: "-t --target-directory", values: "-S --suffix"},
		"install":  {all: rd, last: wr, dir: "-t --target-directory", values: modes, special: made},
		"rsync":    {all: rd, last: wr, remote: true, values: "-e -f -B -M -T --rsh --exclude --include --filter --chmod --bwlimit --rsync-path --port --timeout --max-size", in: "--files-from --exclude-from --include-from --password-file", out: "--log-file", tree: deep},
		"scp|pscp": {all: rd, last: wr, remote: true, values: "-P -c -l -o -S -J -D -X", in: "-F -i", tree: "-r"},
		"mkdir":    {all: wr, values: "-m --mode"},
		"rmdir":    writer(0, ""), "rm|unlink|trash|trash-put|gio-trash": writer(0, ""),
		"shred":              writer(0, "-n -s --iterations --size"),
		"touch":              {all: wr, values: "-d -t -r --date --reference"},
		"truncate":           {all: wr, values: "-s -r --size --reference"},
		"fallocate":          {all: wr, values: "-l -o --length --offset"},
		"chmod|chgrp|chattr": writer(1, ""), "chown": writer(1, "--from"), "setfacl": writer(0, "-m -x"),
		"mkfifo|mknod":   {all: wr, values: "-m"},
		"dd":             {special: ddFiles}, // operands are if=FILE of=FILE
		"find|gfind":     {special: findFiles},
		"rename|prename": {all: rw, skip: 1},
	}
}

// archiveRows are programs that pack and fetch files.
func archiveRows() map[string]fileCommand {
	const curlValues = "-A -C -e -h -m -P -Q -r -t -u -U -w -x -X -y -Y -z --user --request --user-agent --proxy --max-time --url --retry --connect-timeout --write-out --range --referer --data-raw --form-string"
	return map[string]fileCommand{
		"tar|gtar|bsdtar":           {special: tarFiles, values: "-f --file -b -H -F -L -N --exclude --transform --owner --group --mode --strip-components --use-compress-program -I --format", in: "-T -X --files-from --exclude-from", cd: "-C --directory"},
		"zip":                       {special: zipFiles, values: "-x -i -n -b -P -s -t -tt", tree: "-r --recurse-paths"},
		"unzip":                     {special: unpacked, all: rd, values: "-x -P -d"},
		"7z|7za|7zz|unrar|cpio|pax": {special: unpacked, all: rd},
		"gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|unzstd|lz4|pigz|brotli|compress|uncompress": {special: packed, all: rw, values: "-S -T --suffix --threads", out: "-o --output", tree: "-r --recursive"},
		"curl": {special: fetched, values: curlValues, in: "-T --upload-file -K --config -b --cookie -E --cert --key --cacert --netrc-file", dir: "--output-dir", out: "-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --etag-save --libcurl --hsts --alt-svc",
			at: "-d --data --data-binary --data-ascii --data-urlencode -F --form --json -H --header --url-query --proxy-header"},
		"wget": {special: fetched, values: "-e -B -t -T -w -Q -U -l -A -R -D -I -X -nd --tries --timeout --user-agent --header --post-data --user --password --level", in: "-i --input-file --post-file --body-file --load-cookies --config --ca-certificate --certificate --private-key",
			out: "-O --output-document -o --output-file -a --append-output --save-cookies", dir: "-P --directory-prefix"},
		"http|https|xh":          {out: "-o --output", values: "-a --auth"},
		"patch":                  {special: patched, all: rw, in: "-i --input", out: "-o --output -r --reject-file", cd: "-d --directory", values: "-p --strip -F --fuzz -B -Y -z -D -V --suffix --prefix"},
		"apply_patch|applypatch": {special: patched},
		"gpg|gpg2":               {all: rd, out: "-o --output", values: "-r -u --recipient --local-user"},
		"openssl":                {in: "-in -inkey -key -CAfile -CA -cert -kfile -passin", out: "-out -keyout -writerand"},
	}
}

// checkRows are programs that read what they are named, unless an option says
// that they mend it.
func checkRows() map[string]fileCommand {
	return map[string]fileCommand{
		"yamllint|shellcheck|actionlint|hadolint|markdownlint|ajv|check-jsonschema|kubeconform|kubeval|cue": {all: rd, values: "-c -d -f -s -e --config-file --schemafile --schema --severity"},
		"prettier":                      {all: rd, writes: "-w --write", in: "--config --ignore-path", values: "--parser --log-level --plugin"},
		"shfmt|gofmt|gofumpt|goimports": {all: rd, writes: "-w --write", values: "-i -r -ln --language-dialect"},
		"eslint|stylelint|biome lint|biome check|biome format": {all: rd, writes: "--fix --write --apply", out: "-o --output-file", in: "-c --config", values: "-f --format --ext --rule"},
		"black|isort": {all: rw, values: "-l --line-length --config"},
		"pawl check|pawl explain|pawl compile|pawl try|pawl hooks|pawl list": {all: rd, in: "--config -c"},
	}
}

// runnerRows are programs whose operands are another command.
func runnerRows() map[string]fileCommand {
	return map[string]fileCommand{
		"time|gtime":            {stop: true, out: "-o --output", values: "-f --format"},
		"xargs|gxargs":          {stop: true, in: "-a --arg-file", values: "-d -E -I -L -n -P -s --delimiter --max-args --max-procs --replace"},
		"strace|ltrace":         {stop: true, out: "-o --output", values: "-e -p -s -u -a -E -P -S"},
		"script":                {stop: true, all: wr, out: "-I -O -B -T --log-in --log-out --log-io --log-timing", values: "-c --command -E --echo -m -o"},
		"flock|lockf":           {stop: true, all: wr, values: "-w -E --wait --timeout -c --command -t"},
		"perf stat|perf record": {stop: true, out: "-o --output", values: "-e -p -C"},
		"sudo|doas":             {stop: true, values: "-u -g -h -p -C -r -t -T -U -R", cd: "-D --chdir"},
		"nohup|nice|ionice|timeout|stdbuf|setsid|chronic|watch": {stop: true, values: "-n -k -s -i -o -e -c -p -d"},
	}
}

// otherRows are programs with subcommands.
func otherRows() map[string]fileCommand {
	return map[string]fileCommand{
		"docker cp|podman cp|nerdctl cp": {all: rd, last: wr, remote: true, tree: "*"},
		"kubectl cp|oc cp":               {all: rd, last: wr, remote: true, tree: "*", values: "-n --namespace -c --container --retries"},
		"kubectl create|kubectl apply|kubectl replace|oc create|oc apply|oc replace": {in: "-f --filename -k --kustomize --from-file --from-env-file --cert --key"},
		"gh api":                {at: "-F --field", in: "--input"},
		"gh gist|gh release":    {all: rd, skip: 1, in: "-F --notes-file", values: "-d --desc -f --filename -t --title -n --notes -R --repo --target"},
		"gh pr|gh issue":        {in: "-F --body-file"},
		"gh secret|gh variable": {in: "-f --env-file"},
		verbs("kubectl oc", "get describe delete logs top explain rollout scale label annotate cluster-info version api-resources wait cordon uncordon drain"): {in: "-f --filename -k --kustomize",
			values: "-n --namespace -o --output -l --selector --context --kubeconfig"},
		verbs("docker podman nerdctl", "ps images rm rmi stop start restart kill pause unpause logs inspect pull push tag port top stats version info network volume rename wait"): {
			values: "-f --filter --format -n --last -s --signal -t --time"},
		verbs("helm", "list ls status history uninstall delete rollback search version"): {values: "-n --namespace -o --output"},
		"systemctl": {all: rd},
		"apt|apt-get|apt-cache|brew|dnf|yum|zypper|apk|pacman": {all: rd, in: "-c --config-file --config"},
	}
}

// verbs are the names of the rows of some programs with each of some
// subcommands.
func verbs(programs, subs string) string {
	var names []string
	for _, p := range strings.Fields(programs) {
		for _, s := range strings.Fields(subs) {
			names = append(names, p+" "+s)
		}
	}
	return strings.Join(names, "|")
}
