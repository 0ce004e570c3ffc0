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

// fileCommand says which words of a program are files. Lists of options are
// separated by blanks; an option in values, unskip, in, out, dir, cd, at or
// code takes a value.
type fileCommand struct {
	all     hook.Access // what happens to each operand
	last    hook.Access // to the last of several, if that differs
	skip    int         // leading operands that are no files: a pattern, a mode
	unskip  string      // options that take the place of those operands
	values  string      // options whose value is no file
	in      string      // options whose value is a file that is read
	out     string      // options whose value is a file that is written
	dir     string      // options whose value is the directory that the operands go to
	cd      string      // options whose value is the directory to work in
	at      string      // options whose value names a file after an @
	code    string      // options whose value is a text that may name files
	writes  string      // options that make every operand written
	tree    string      // options with which an operand stands for all below it; * for always
	walks   bool        // with tree and no operand: what is below the current directory
	stop    bool        // the first operand ends the words of the program
	remote  bool        // HOST:PATH is a file elsewhere
	special special
}

// special is what is done for a program besides what its row says.
type special uint8

const (
	_           special = iota
	ddFiles             // if=FILE of=FILE
	findFiles           // roots, then an expression
	tarFiles            // modes without a dash, members
	zipFiles            // an archive, then members
	unpacked            // an archive whose members are written
	packed              // each file is replaced by another one
	sedFiles            // a script with w and r
	awkFiles            // a program with > and getline
	patched             // files that the text of a patch names
	fetched             // urls, saved by their last segment
	made                // operands are directories with -d
	gitFiles            // REV:PATH
	gitSpecs            // operands are pathspecs that are written
	gitCheckout         // [REV] [--] pathspecs
	anyWritten          // files that no word names are written
)

// access is what the program may do to files; options tells whether it is
// given any.
func (c *fileCommand) access(options bool) hook.Access {
	a := c.all | c.last
	switch {
	case c.special == gitFiles:
		a |= rd
	case c.special != 0:
		return rw
	}
	if !options {
		return a
	}
	if c.out != "" || c.writes != "" || c.dir != "" || c.code != "" {
		return rw
	}
	if c.in != "" || c.at != "" {
		a |= rd
	}
	return a
}

// simple reports that all files which the program touches are words of its
// command, and nothing in or near them; options tells whether it is given any.
func (c *fileCommand) simple(options bool) bool {
	if c.last != 0 || c.special != 0 || c.remote || c.walks || c.tree == "*" {
		return false
	}
	return !options || c.in+c.out+c.dir+c.cd+c.at+c.code+c.tree == ""
}

// plainRow returns the row of a plain command, nil if no table has its
// program, and the words that may be files. It does not allocate. ok is false
// where options stand before a subcommand.
func plainRow(command string) (row *fileCommand, words string, ok bool) {
	head, words, _ := strings.Cut(command, " ")
	if textCommands()[head] {
		return &fileCommand{}, "", true
	}
	name := head
	if _, has := subcommands()[head]; has {
		if strings.HasPrefix(words, "-") {
			return nil, words, false
		}
		sub, rest, _ := strings.Cut(words, " ")
		name, words = command[:len(head)+1+len(sub)], rest
		if sub == "" {
			name = head
		}
	}
	return fileCommands()[name], words, true
}

// fileCommands are the programs whose operands are known.
var fileCommands = sync.OnceValue(func() map[string]*fileCommand {
	m := map[string]*fileCommand{}
	for _, table := range [...]map[string]fileCommand{textRows(), moverRows(), archiveRows(), checkRows(), runnerRows(), gitRows(), otherRows()} {
		for names, row := range table {
			for name := range strings.SplitSeq(names, "|") {
				m[name] = &row
			}
		}
	}
	for _, name := range strings.Fields("cat tac nl less more most wc od hexdump strings md5sum sha1sum sha224sum sha256sum md5 shasum " +
		"sha384sum sha512sum b2sum cksum sum file stat bat batcat view cmp comm paste join rev expand unexpand fmt fold pr zcat bzcat xzcat zless zmore " +
		"source . ls tree du readlink realpath cloc tokei mapfile readarray lsattr getfacl jsonlint xmllint vdiff icdiff delta glow mdcat hexyl") {
		m[name] = &fileCommand{all: rd}
	}
	return m
})

// textCommands are programs whose operands are text, never files.
var textCommands = sync.OnceValue(func() map[string]bool {
	return map[string]bool{
		"echo": true, "printf": true, "true": true, "false": true, ":": true, "test": true, "[": true, "[[": true, "export": true,
		"set": true, "unset": true, "cd": true, "pwd": true, "exit": true, "return": true, "sleep": true, "kill": true, "wait": true,
		"type": true, "which": true, "command": true, "alias": true, "tr": true, "seq": true, "expr": true, "let": true,
		"declare": true, "local": true, "readonly": true, "shift": true, "whoami": true, "id": true, "uname": true, "hostname": true,
		"basename": true, "dirname": true, "read": true, "whereis": true, "man": true, "ps": true, "pgrep": true, "env": true,
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
