package rules

import (
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	maxPowerShell      = 256 << 10 // bytes of a text before it is read
	maxPowerShellDepth = 64        // of blocks and brackets

	maxPowerShellCommands = 4096
)

// aliases maps PowerShell's short names to its commands, in lower case.
var aliases = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"ls": "get-childitem", "dir": "get-childitem", "gci": "get-childitem", "gi": "get-item", "cat": "get-content", "gc": "get-content", "type": "get-content",
		"rm": "remove-item", "ri": "remove-item", "del": "remove-item", "erase": "remove-item", "rd": "remove-item", "rmdir": "remove-item",
		"cp": "copy-item", "copy": "copy-item", "cpi": "copy-item", "mv": "move-item", "move": "move-item", "mi": "move-item",
		"ren": "rename-item", "rni": "rename-item", "ni": "new-item", "md": "mkdir", "si": "set-item", "cli": "clear-item", "ii": "invoke-item",
		"gp": "get-itemproperty", "sp": "set-itemproperty", "rp": "remove-itemproperty", "clp": "clear-itemproperty", "cpp": "copy-itemproperty", "mp": "move-itemproperty", "rnp": "rename-itemproperty",
		"echo": "write-output", "write": "write-output", "sc": "set-content", "ac": "add-content", "clc": "clear-content", "tee": "tee-object",
		"iex": "invoke-expression", "icm": "invoke-command", "ihy": "invoke-history", "r": "invoke-history", "iwr": "invoke-webrequest", "curl": "invoke-webrequest", "wget": "invoke-webrequest", "irm": "invoke-restmethod",
		"cd": "set-location", "sl": "set-location", "chdir": "set-location", "pwd": "get-location", "gl": "get-location", "pushd": "push-location", "popd": "pop-location",
		"kill": "stop-process", "spps": "stop-process", "ps": "get-process", "gps": "get-process", "saps": "start-process", "start": "start-process",
		"gsv": "get-service", "sasv": "start-service", "spsv": "stop-service", "sajb": "start-job", "gjb": "get-job", "rjb": "remove-job", "rcjb": "receive-job", "spjb": "stop-job", "wjb": "wait-job",
		"foreach": "foreach-object", "%": "foreach-object", "where": "where-object", "?": "where-object", "select": "select-object", "sort": "sort-object", "group": "group-object", "measure": "measure-object", "compare": "compare-object", "diff": "compare-object",
		"ft": "format-table", "fl": "format-list", "fw": "format-wide", "oh": "out-host", "sls": "select-string", "gm": "get-member", "gcm": "get-command", "gal": "get-alias", "sal": "set-alias", "nal": "new-alias", "ipal": "import-alias", "ipmo": "import-module", "rmo": "remove-module",
		"gv": "get-variable", "sv": "set-variable", "set": "set-variable", "nv": "new-variable", "rv": "remove-variable", "clv": "clear-variable", "h": "get-history", "history": "get-history", "ghy": "get-history", "man": "help", "cls": "clear-host", "clear": "clear-host", "sleep": "start-sleep",
		"ndr": "new-psdrive", "mount": "new-psdrive", "rdr": "remove-psdrive", "gdr": "get-psdrive", "nsn": "new-pssession", "etsn": "enter-pssession", "rsn": "remove-pssession", "iwmi": "invoke-wmimethod", "rwmi": "remove-wmiobject", "swmi": "set-wmiinstance", "shcm": "show-command", "rvpa": "resolve-path", "cvpa": "convert-path",
	}
})

// psRunners run what their operands say, or change what names mean.
const psRunners = " invoke-expression start-process start-job invoke-item invoke-history invoke-wmimethod invoke-cimmethod powershell pwsh cmd wsl bash sh ssh " +
	"set-alias new-alias import-alias import-module add-type new-service register-scheduledtask new-scheduledtaskaction schtasks wmic mshta rundll32 regsvr32 cscript wscript msiexec forfiles runas "

// psBlocks run the script block among their operands; without one, what a
// name or file there says.
const psBlocks = " invoke-command foreach-object start-threadjob measure-command "

// psFree are methods that only compute.
const psFree = " trim trimstart trimend tolower toupper split replace substring startswith endswith contains indexof lastindexof tostring padleft padright join format combine gettype equals compareto insert remove add getfilename getdirectoryname getextension getfilenamewithoutextension isnullorempty isnullorwhitespace containskey parse now utcnow adddays addhours round floor max min "

// psKeywords may stand before a command; the name after psNamed is none.
const (
	psKeywords = " if elseif else while for foreach do until switch try catch finally return throw param begin process end clean trap exit in dynamicparam "
	psNamed    = " function filter workflow class enum using configuration data break continue "
)

func psHas(list, word string) bool { return strings.Contains(list, " "+strings.ToLower(word)+" ") }

// parsePowerShell finds the commands of a text: in lists, pipes, blocks,
// brackets and substitutions. Blocks are taken to run. What it cannot tell
// (a command in a variable, Invoke-Expression, -Command texts, methods that
// are not known to only compute) makes the result opaque.
func parsePowerShell(text string) hook.Commands {
	r := &psReader{}
	if len(text) > maxPowerShell {
		r.opaque("the command is longer than 256 KiB")
		return r.out
	}
	r.text = psPlain(text)
	r.statements(0, false)
	return r.out
}

// psPlain writes the quotes and dashes of PowerShell as ASCII ones.
func psPlain(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] >= 0x80 {
			return strings.NewReplacer("‘", "'", "’", "'", "‚", "'", "‛", "'", "“", `"`, "”", `"`, "„", `"`, "–", "-", "—", "-", "―", "-", "\u00a0", " ").Replace(text)
		}
	}
	return text
}

func (r *psReader) opaque(reason string) {
	if r.out.Opaque = true; len(r.out.Unknown) < 64 {
		r.out.Unknown = append(r.out.Unknown, hook.Doubt{Reason: reason, Offset: r.at})
	}
}

// endCommand lists the statement that has been read, if it is a command.
func (r *psReader) endCommand(s *psStatement) {
	s.endWord(r)
	cmd := s.cmd
	blocks, value := s.blocks, s.value
	*s = psStatement{table: s.table}
	if len(r.out.List) >= maxPowerShellCommands {
		r.opaque("the text is too large to follow")
		return
	}
	if value || len(cmd.Argv) == 0 {
		if len(cmd.Redirects) > 0 {
			cmd.Argv = nil
			r.out.List = append(r.out.List, cmd)
		}
		return
	}
	parts := make([]string, len(cmd.Argv))
	for i, w := range cmd.Argv {
		parts[i] = w.Text
	}
	cmd.Text = strings.Join(parts, " ")
	cmd.Raw = cmd.Text
	head := psHead(parts[0])
	switch {
	case !cmd.Argv[0].Known:
		r.opaque(parts[0] + " is not a literal command")
	case psHas(" python python3 py node perl ruby php ", head) && codeOption(cmd.Argv):
		r.opaque("code of " + parts[0] + " may run anything")
	case psHas(psRunners, head), psHas(psBlocks, head) && blocks == 0:
		r.opaque(parts[0] + " runs what its operands say")
	}
	r.out.List = append(r.out.List, cmd)
}

// codeOption reports an option whose value is program text.
func codeOption(argv []hook.Word) bool {
	return slices.ContainsFunc(argv, func(w hook.Word) bool { return !w.Known || w.Text == "-c" || w.Text == "-e" || w.Text == "-r" })
}
