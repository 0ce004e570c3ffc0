package shell

// Wrapper says how a program that runs its operands finds them. Option lists
// are separated by blanks; a name of one letter is a short option, a longer
// one long (--name). The zero values mean "none".
type Wrapper struct {
	Name     string // program, or program and subcommand: "sudo", "docker exec"
	Flags    string // options without a value
	Values   string // options with a value, glued or as the next word
	Optional string // options whose value can only be glued
	Shell    string // options whose value is shell text that is run
	Split    string // options whose value is split into the command's words (env -S)
	Chdir    string // of Values: the directory in which the command runs
	Quits    string // of Flags and Values: with these nothing is run
	Replace  string // of Values and Optional: the word that input replaces (xargs -I)
	Operands int    // words before the command
	Env      bool   // NAME=value words may stand before the command
	Text     bool   // the command's words are joined and read by a shell
	Append   bool   // further words come from input
	Dashes   bool   // the command starts after -- only
	Away     bool   // runs on another machine or file system
	Exact    bool   // a grant with a wildcard never covers it
	Strip    bool   // grants look through it
	Default  string // what runs when no command is given: "sh", "echo"
}
