package shell

import "sync"

// language is a program that runs text in another language.
type language struct {
	code    string // options with code
	file    string // options with a file of code
	modules string // options with a module
	values  string // other options with a value, with their dashes
	glued   string // letters behind which the rest of a word is no option
	exec    string // identifiers and other marks that can start a program
	first   bool   // without an option for code the first operand is code (awk)
	pipes   bool   // a file name may be a command (perl)
	mixed   bool   // options may stand behind operands
	loose   bool   // every operand may be code (sqlite3)
	stdin   bool   // without code or a file, code is read from standard input
	grammar grammar
}

// grammar says how code is looked through.
type grammar uint8

const (
	markGrammar grammar = iota // for the marks of exec, anywhere
	anyGrammar                 // any code may start a program
	awkGrammar
	pythonGrammar
	nodeGrammar
	sqlGrammar
	exGrammar // commands of an editor
)

const (
	pythonExec = "system popen Popen subprocess exec execv execve execl execle execlp execlpe execvp execvpe spawnl spawnv spawnlp spawnvp spawnve spawnle spawnlpe spawnvpe spawn posix_spawn posix_spawnp create_subprocess_shell create_subprocess_exec subprocess_shell subprocess_exec _posixsubprocess fork_exec startfile pty eval __import__ import_module importlib getattr attrgetter methodcaller ctypes cffi pexpect plumbum runpy fork forkpty builtins __builtins__ __dict__ __getattribute__ __subclasses__ __globals__ globals vars locals modules commands getoutput getstatusoutput check_output pickle marshal interact InteractiveInterpreter InteractiveConsole webbrowser timeit"
	nodeExec   = "child_process exec execSync execFile execFileSync spawn spawnSync fork eval Function binding dlopen constructor getBuiltinModule worker_threads _load runInThisContext runInNewContext createRequire $"
	perlExec   = "system exec qx ` popen open open2 open3 readpipe fork eval syscall | /ee }ee )ee /dev/"
	rubyExec   = "system exec %x ` popen Open3 spawn eval fork send public_send open IO PTY instance_eval"
	luaExec    = "execute popen load loadstring dofile require ffi"
	sqlExec    = "\\! \\copy ` system"
	sqliteExec = ".shell .system .sh .sy .load edit( load_extension"
	vimExec    = "system systemlist job_start jobstart termopen term terminal py python py3 python3 pyx pythonx pyfile lua luaeval luafile ruby perl tcl mzscheme exe exec execu execut execute norm norma normal shell sh feedkeys source so make grep cexpr glob `"
	gdbExec    = "she shel shell ! python py guile gu source pipe | make eval system popen execl execlp execv execvp execve posix_spawn"
	lispExec   = "shell-command call-process start-process make-process async-shell-command process-file eval load funcall apply intern symbol-function compile"
	phpExec    = "system exec shell_exec passthru popen proc_open ` pcntl_exec eval assert call_user_func include require"
)

// languages is never written.
var languages = sync.OnceValue(func() map[string]language {
	return map[string]language{
		"python": {code: "c", modules: "m", values: "-W -X -Q --check-hash-based-pycs", glued: "h", stdin: true, exec: pythonExec, grammar: pythonGrammar}, "pypy": {code: "c", modules: "m", values: "-W -X", glued: "h", stdin: true, exec: pythonExec, grammar: pythonGrammar}, "ipython": {code: "c", modules: "m", stdin: true, exec: pythonExec + " !", grammar: pythonGrammar}, "bpython": {stdin: true, exec: pythonExec, grammar: pythonGrammar},
		"node": {code: "e p pe eval print", values: nodeValues, stdin: true, exec: nodeExec, grammar: nodeGrammar}, "nodejs": {code: "e p pe eval print", values: nodeValues, stdin: true, exec: nodeExec, grammar: nodeGrammar}, "ts-node": {code: "e p pe eval print", values: "-r -C -P -O --require", exec: nodeExec, grammar: nodeGrammar}, "tsx": {code: "e p eval print", exec: nodeExec, grammar: nodeGrammar}, "bun": {code: "e eval p print", exec: nodeExec, grammar: nodeGrammar},
		"deno eval": {exec: nodeExec + " Command run", grammar: nodeGrammar},
		"perl":      {code: "e E", modules: "M", values: "-I", glued: "m i x D F C V", stdin: true, pipes: true, exec: perlExec}, "ruby": {code: "e", values: "-r -I -C -E --encoding --external-encoding --internal-encoding", glued: "i x F K T W", stdin: true, exec: rubyExec}, "irb": {values: "-r -I", stdin: true, exec: rubyExec},
		"php": {code: "r B R E run process-begin process-code process-end", file: "f F file process-file", values: "-d -c -z -S -t --define --php-ini --zend-extension --server --docroot", glued: "h", stdin: true, exec: phpExec},
		"lua": {code: "e", values: "-l", glued: "h", stdin: true, exec: luaExec}, "luajit": {code: "e", values: "-l", glued: "j O b", stdin: true, exec: luaExec},
		"awk": awkOptions, "gawk": awkOptions, "mawk": awkOptions, "nawk": awkOptions, "original-awk": awkOptions,
		"vim": vimOptions, "vi": vimOptions, "nvim": vimOptions, "view": vimOptions, "gvim": vimOptions, "vimdiff": vimOptions, "ex": vimOptions,
		"emacs": {code: "eval execute", mixed: true, exec: lispExec}, "gdb": {code: "ex iex eval-command init-eval-command", file: "x ix command init-command", values: "-p -pid -cd -d -directory -tty -b -symbols -exec -core -se", mixed: true, stdin: true, exec: gdbExec}, "lldb": {code: "o O k K one-line one-line-before-file one-line-on-crash", file: "s S source source-before-file", values: "-p -n -f -a -c -l", mixed: true, exec: "shell script command platform system popen"},
		"Rscript": {code: "e", exec: "system system2 shell pipe eval source"}, "R": {code: "e", stdin: true, exec: "system system2 shell pipe eval source"}, "julia": {code: "e E eval print", stdin: true, exec: "run ` eval include ccall pipeline"},
		"osascript": {code: "e", values: "-l", stdin: true, exec: "shell run tell ObjC doShellScript"}, "expect": {code: "c", stdin: true, exec: "spawn exec system eval send"}, "tclsh": {stdin: true, exec: "exec open eval"},
		"elixir": {code: "e eval", exec: "System Port os Code"}, "erl": {code: "eval", exec: "cmd open_port"}, "guile": {code: "c", stdin: true, exec: "system open-pipe eval"}, "racket": {code: "e", stdin: true, exec: "system process eval"}, "sbcl": {code: "eval", stdin: true, exec: "run-program eval"}, "ghci": {code: "e", stdin: true, exec: "system process callCommand :!"},
		"groovy": {code: "e", exec: "execute ProcessBuilder Runtime evaluate"}, "scala": {code: "e", exec: "process Process Runtime !"}, "jshell": {stdin: true, exec: "Runtime ProcessBuilder"},
		"psql": {code: "c command", file: "f file", values: "-h -p -U -d -v -o -L -F -P -R -T --host --port --username --dbname --set --variable --output", loose: true, stdin: true, exec: sqlExec, grammar: sqlGrammar}, "mysql": {code: "e execute init-command", values: "-h -P -u -D --host --port --user --database", loose: true, stdin: true, exec: sqlExec, grammar: sqlGrammar}, "mariadb": {code: "e execute init-command", values: "-h -P -u -D --host --port --user --database", loose: true, stdin: true, exec: sqlExec, grammar: sqlGrammar},
		"sqlite3": {code: "cmd", file: "init", loose: true, stdin: true, exec: sqliteExec, grammar: sqlGrammar}, "duckdb": {code: "c cmd", file: "init", loose: true, stdin: true, exec: sqliteExec, grammar: sqlGrammar}, "mongosh": {code: "eval", loose: true, stdin: true, exec: "run runProgram child_process exec spawn"},
		"ftp": {loose: true, stdin: true, exec: "!"}, "lftp": {code: "c e", file: "f", stdin: true, exec: "! shell local"},
		"gnuplot": {code: "e", stdin: true, exec: "system ` | !"}, "m4": {stdin: true, exec: "syscmd esyscmd"}, "ed": {loose: true, stdin: true, exec: "!"},
		"pwsh": {code: "c command Command", stdin: true, first: true, grammar: anyGrammar}, "powershell": {code: "c command Command", stdin: true, first: true, grammar: anyGrammar}, "powershell.exe": {code: "c command Command", stdin: true, first: true, grammar: anyGrammar},
		"cmd": {loose: true, grammar: anyGrammar}, "cmd.exe": {loose: true, grammar: anyGrammar}, "wsl": {loose: true, grammar: anyGrammar}, "wsl.exe": {loose: true, grammar: anyGrammar},
	}
})

// nodeValues are the options of node with a value as the next word.
const nodeValues = "-r -C --require --import --conditions --title --loader --experimental-loader --env-file --env-file-if-exists --icu-data-dir --input-type --openssl-config --redirect-warnings --dns-result-order --unhandled-rejections --trace-event-categories --diagnostic-dir --cpu-prof-dir --test-name-pattern --test-reporter --watch-path --max-http-header-size --disable-warning --localstorage-file"

// awkOptions, vimOptions are never written.
var (
	awkOptions = language{first: true, code: "e source", file: "f E file exec", values: "-v -F -W -i -l --assign --field-separator --include --load", glued: "d D L o p", grammar: awkGrammar}
	vimOptions = language{code: "c cmd command", file: "S u", mixed: true, stdin: true, values: "-U -i -T -w -W --servername --remote-expr --remote-send --listen", exec: vimExec, grammar: exGrammar}
)
