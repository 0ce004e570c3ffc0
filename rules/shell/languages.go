package shell

import "sync"

// language is a program that runs text in another language.
type language struct {
	code   string // options with code
	values string // other options with a value, with their dashes
	exec   string // identifiers and other marks that can start a program; "": any code may
	first  bool   // without an option for code the first operand is code (awk)
	loose  bool   // every operand may be code (sqlite3)
	stdin  bool   // without code or a file, code is read from standard input
	awk    bool
}

const (
	pythonExec = "system popen Popen subprocess exec execv execve execl execle execlp execvp execvpe execlpe spawnl spawnv spawnlp spawnvp spawnve spawnle spawn posix_spawn pty eval __import__ importlib getattr ctypes pexpect plumbum runpy fork builtins __builtins__ globals commands getoutput getstatusoutput check_output"
	nodeExec   = "child_process exec execSync execFile execFileSync spawn spawnSync fork eval Function binding dlopen $"
	perlExec   = "system exec qx ` popen open open2 open3 fork eval syscall |"
	rubyExec   = "system exec %x ` popen Open3 spawn eval fork send public_send open IO PTY instance_eval"
	luaExec    = "execute popen load loadstring dofile require ffi"
	sqlExec    = "\\! system PROGRAM program"
	sqliteExec = ".shell .system .sh .sy edit( load_extension"
	phpExec    = "system exec shell_exec passthru popen proc_open ` pcntl_exec eval assert call_user_func include require"
	awkExec    = "system | @load"
)

// languages is never written.
var languages = sync.OnceValue(func() map[string]language {
	return map[string]language{
		"python": {code: "c", values: "-W -X", stdin: true, exec: pythonExec}, "pypy": {code: "c", stdin: true, exec: pythonExec}, "ipython": {code: "c", stdin: true, exec: pythonExec + " !"}, "bpython": {stdin: true, exec: pythonExec},
		"node": {code: "e p pe eval print", values: "-r --require --import", stdin: true, exec: nodeExec}, "nodejs": {code: "e p eval print", stdin: true, exec: nodeExec}, "ts-node": {code: "e", exec: nodeExec}, "tsx": {code: "e", exec: nodeExec}, "bun": {code: "e eval p print", exec: nodeExec},
		"perl": {code: "e E", values: "-I", stdin: true, exec: perlExec}, "ruby": {code: "e", values: "-r -I", stdin: true, exec: rubyExec}, "irb": {stdin: true, exec: rubyExec},
		"php": {code: "r B R E", values: "-d -c", stdin: true, exec: phpExec},
		"lua": {code: "e", values: "-l", stdin: true, exec: luaExec}, "luajit": {code: "e", stdin: true, exec: luaExec},
		"awk": {first: true, values: "-v -F -W", exec: awkExec, awk: true}, "gawk": {first: true, code: "e source", values: "-v -F -W", exec: awkExec, awk: true}, "mawk": {first: true, values: "-v -F -W", exec: awkExec, awk: true}, "nawk": {first: true, values: "-v -F", exec: awkExec, awk: true},
		"Rscript": {code: "e", exec: "system system2 shell pipe eval source"}, "R": {code: "e", stdin: true, exec: "system system2 shell pipe eval source"}, "julia": {code: "e E eval print", stdin: true, exec: "run ` eval include ccall pipeline"},
		"osascript": {code: "e", values: "-l", stdin: true, exec: "shell run tell ObjC doShellScript"}, "expect": {code: "c", stdin: true, exec: "spawn exec system eval send"}, "tclsh": {stdin: true, exec: "exec open eval"},
		"elixir": {code: "e eval", exec: "System Port os Code"}, "erl": {code: "eval", exec: "cmd open_port"}, "guile": {code: "c", stdin: true, exec: "system open-pipe eval"}, "racket": {code: "e", stdin: true, exec: "system process eval"}, "sbcl": {code: "eval", stdin: true, exec: "run-program eval"}, "ghci": {code: "e", stdin: true, exec: "system process callCommand :!"},
		"groovy": {code: "e", exec: "execute ProcessBuilder Runtime evaluate"}, "scala": {code: "e", exec: "process Process Runtime !"}, "jshell": {stdin: true, exec: "Runtime ProcessBuilder"},
		"psql": {code: "c command", values: "-h -p -U -d -v -f", loose: true, stdin: true, exec: sqlExec}, "mysql": {code: "e execute", values: "-h -P -u -D", loose: true, stdin: true, exec: sqlExec}, "mariadb": {code: "e execute", values: "-h -P -u -D", loose: true, stdin: true, exec: sqlExec},
		"sqlite3": {code: "cmd", loose: true, stdin: true, exec: sqliteExec}, "duckdb": {code: "c", loose: true, stdin: true, exec: sqliteExec}, "mongosh": {code: "eval", loose: true, stdin: true, exec: "run runProgram child_process exec spawn"},
		"gnuplot": {code: "e", stdin: true, exec: "system ` | !"}, "m4": {stdin: true, exec: "syscmd esyscmd"}, "ed": {loose: true, stdin: true, exec: "!"}, "ex": {code: "c", stdin: true, exec: "!"},
		"pwsh": {code: "c command Command", stdin: true, first: true}, "powershell": {code: "c command Command", stdin: true, first: true}, "powershell.exe": {code: "c command Command", stdin: true, first: true},
		"cmd": {loose: true}, "cmd.exe": {loose: true}, "wsl": {loose: true}, "wsl.exe": {loose: true},
	}
})
