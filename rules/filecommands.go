package rules

import (
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	rd = hook.Reads
	wr = hook.Writes
	rw = hook.Reads | hook.Writes
)

// fileCommand says which operands of a program are files.
type fileCommand struct {
	all    hook.Access // what happens to each operand
	last   hook.Access // to the last of several, if that differs
	skip   int         // leading operands that are no files: a pattern, a mode
	unskip string      // options that take the place of those operands
	values string      // options whose value, the next word, is no file
	in     string      // options whose value is a file that is read
	out    string      // options whose value is a file that is written
	writes string      // options that make every operand written
}

// fileCommands are the programs whose operands are known. Options are
// separated by blanks.
var fileCommands = sync.OnceValue(func() map[string]fileCommand {
	reader := func(values string) fileCommand { return fileCommand{all: rd, values: values} }
	writer := func(skip int, values string) fileCommand {
		return fileCommand{all: wr, skip: skip, values: values, unskip: "--reference"}
	}
	search := fileCommand{all: rd, skip: 1, unskip: "-e -f --regexp --file", values: "-A -B -C -m -g -t -d -D --max-count --glob --type --include --exclude --exclude-dir", in: "-f --file"}
	copier := fileCommand{all: rd, last: wr, out: "-t --target-directory", values: "-S --suffix -m --mode -o --owner -g --group"}
	mover := copier
	mover.all = rw
	editor := fileCommand{all: rw}
	m := map[string]fileCommand{
		"sed":  {all: rd, skip: 1, unskip: "-e -f --expression --file", in: "-f --file", writes: "-i --in-place"},
		"jq":   {all: rd, skip: 1, unskip: "-f --from-file", in: "-f --from-file", values: "--arg --argjson --indent"},
		"sort": {all: rd, values: "-k -t -S -T", out: "-o --output"},
		"uniq": {all: rd, last: wr, values: "-f -s -w"},
		"tee":  {all: wr}, "mkdir": writer(0, "-m --mode"), "rmdir": writer(0, ""), "rm": writer(0, ""),
		"unlink": writer(0, ""), "shred": writer(0, "-n -s --iterations --size"), "touch": writer(0, "-d -t -r --date --reference"),
		"truncate": writer(0, "-s -r --size --reference"),
		"chmod":    writer(1, ""), "chown": writer(1, "--from"), "chgrp": writer(1, ""), "chattr": writer(1, ""), "setfacl": writer(0, "-m -x"),
		"cp": copier, "install": copier, "rsync": copier, "scp": copier, "mv": mover, "ln": copier,
		"curl": {in: "-T --upload-file -K --config", out: "-o --output"},
		"wget": {in: "-i --input-file --post-file", out: "-O --output-document -o --output-file"},
		"find": {all: rd, values: "-name -iname -path -type -maxdepth -mindepth -mtime -size -newer -user -perm"},
		"dd":   {}, // operands are if=FILE of=FILE
	}
	for _, name := range []string{"grep", "egrep", "fgrep", "rg", "ag", "zgrep"} {
		m[name] = search
	}
	for _, name := range []string{"awk", "gawk", "mawk", "perl", "yq"} {
		m[name] = fileCommand{all: rd, skip: 1, unskip: "-f --file", in: "-f --file", values: "-v -F -e -E", writes: "-i"}
	}
	for _, name := range []string{"vim", "vi", "nvim", "nano", "emacs", "ed", "ex"} {
		m[name] = editor
	}
	for _, name := range strings.Fields("cat tac nl less more wc cut od xxd hexdump strings base64 base32 md5sum sha1sum sha224sum sha256sum " +
		"sha384sum sha512sum b2sum cksum file stat bat batcat view diff cmp comm paste join column fold rev expand zcat bzcat xzcat gunzip zless source . ls tree du readlink realpath") {
		m[name] = reader("")
	}
	m["head"], m["tail"] = reader("-n -c --lines --bytes"), reader("-n -c -s --lines --bytes --pid")
	m["cut"] = reader("-d -f -c -b")
	m["base64"] = reader("-w --wrap")
	return m
})

// textCommands are programs whose operands are text, never files.
var textCommands = sync.OnceValue(func() map[string]bool {
	return map[string]bool{
		"echo": true, "printf": true, "true": true, "false": true, ":": true, "test": true, "[": true, "[[": true, "export": true,
		"set": true, "unset": true, "cd": true, "pwd": true, "exit": true, "return": true, "sleep": true, "kill": true, "wait": true,
		"type": true, "which": true, "command": true, "alias": true, "date": true, "tr": true, "seq": true, "expr": true, "let": true,
		"declare": true, "local": true, "readonly": true, "shift": true, "whoami": true, "id": true, "uname": true, "hostname": true,
	}
})

func hasOption(list, name string) bool {
	for list != "" {
		var o string
		o, list, _ = strings.Cut(list, " ")
		if o == name {
			return true
		}
	}
	return false
}
