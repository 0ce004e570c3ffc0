---@meta
-- What a policy can call. Written by "pawl schema" from the table that registers it.
-- There is no io, os, debug, coroutine, load, dofile, print, rawset or collectgarbage.

---@alias EventName string
---| 'SessionStart'
---| 'Setup'
---| 'InstructionsLoaded'
---| 'UserPromptSubmit'
---| 'UserPromptExpansion'
---| 'MessageDisplay'
---| 'PreToolUse'
---| 'PermissionRequest'
---| 'PermissionDenied'
---| 'PostToolUse'
---| 'PostToolUseFailure'
---| 'PostToolBatch'
---| 'Notification'
---| 'SubagentStart'
---| 'SubagentStop'
---| 'TaskCreated'
---| 'TaskCompleted'
---| 'Stop'
---| 'StopFailure'
---| 'TeammateIdle'
---| 'ConfigChange'
---| 'CwdChanged'
---| 'DirectoryAdded'
---| 'FileChanged'
---| 'WorktreeCreate'
---| 'WorktreeRemove'
---| 'PreCompact'
---| 'PostCompact'
---| 'PreModelSwitch'
---| 'PostModelSwitch'
---| 'Elicitation'
---| 'ElicitationResult'
---| 'SessionEnd'

---what a handler is called with
---@class Event
---@field event string PreToolUse, Stop, …
---@field tool string canonical name of the tool: Bash, Edit, …
---@field host_tool string the host's own name of the tool
---@field subject string what a matcher tests: the tool, source, trigger, …
---@field input table the tool input, a table of your own
---@field command string shell text of the input, or ''
---@field commands Command[] the commands that the shell text runs, or may run
---@field doubt string|false why ev.commands may not be all that runs, or false
---@field paths table[] the files that the event touches: {path, real, reads, writes, known}
---@field file_path string the file that the input names, or ''
---@field url string url of the input, or ''
---@field host string host of the url, or ''
---@field prompt string what the user typed
---@field cwd string current directory of the session
---@field session_id string
---@field permission_mode string
---@field agent_type string
---@field source string of SessionStart, ConfigChange, …
---@field reason string of SessionEnd, …
---@field message string last text of the assistant
---@field stop_hook_active boolean a stop was blocked before
---@field timestamp string when it happened, RFC 3339, or ''
---@field unknown string|false why it cannot be told whether the hook applies, or false
---@field final boolean the input was rewritten and this run is on the final one
---@field more table the whole message of the host
---@field matches fun(self: Event, pattern: string): boolean?, string? tests a matcher: true, false, or nil and why it cannot be told

---one element of ev.commands
---@class Command
---@field text string the command on one line, quotes removed
---@field name string the program without its directory
---@field argv string[] program and arguments; a word that cannot be told is as written
---@field wrappers string[] sudo, env, …, outermost first
---@field raw string as written
---@field dir string current directory relative to the event's
---@field known boolean every word is literal
---@field possible boolean it is not certain that it runs
---@field env table assignments before the command, by name
---@field redirects table[] {op, path, reads, writes, known}
---@field flag fun(self: Command, ...: string): boolean, string? has, or may have, one of these options; the second value says why it cannot be told

---of on
---@class HandlerOptions
---@field if? string one permission pattern that must fit too
---@field when? string a condition that must hold too, as in pawl.yaml
---@field name? string the id in traces; default file:line
---@field message? string shown while it runs
---@field once? boolean once in a session
---@field async? boolean in the background; decides nothing
---@field rewake? boolean in the background; go_on(text) or deny(reason) wakes the agent
---@field timeout? number|string seconds, or a text such as '500ms'; default 250 ms
---@field mode? 'observe'|'enforce' observe: recorded, counts for nothing
---@field unknown? 'ask'|'deny'|'skip' skip: not called where it cannot be told whether the pattern fits
---@field on_failure? 'block'|'continue' what follows from an error; default block

---what a callback of task.* is called with
---@class Task
---@field id string
---@field subject string what it is about, in a line
---@field description string what is to be done
---@field status string as the host names it
---@field executor string the agent that executes it, or ''
---@field depends_on string[] ids of the tasks that come before it
---@field attempt integer from 1
---@field retry_count integer how often it was tried again
---@field max_retries integer how often it may be
---@field timeout number seconds; 0 is none

---what a callback of subagent.* is called with
---@class Subagent
---@field subagent_name string the agent that is sent out
---@field parent_agent string the agent that sends it
---@field mode 'sync'|'fork'|'teammate' how it runs
---@field task string what it is sent out for
---@field attempt integer from 1

---what a handler returns: one, a list of them, or nothing
---@class Verdict

---registers a handler; only while the file is loaded
---@param event EventName|EventName[]
---@param matcher? string
---@param options? HandlerOptions
---@param handler fun(ev: Event): any
function on(event, matcher, options, handler) end

---the value of another file of this directory; only while the file is loaded
---@param name string
---@return any
function require(name) end

---raises message unless value is true
---@param value any
---@param message? string
---@return any
function assert(value, message) end

---raises message
---@param message any
---@param level? integer
function error(message, level) end

---the metatable of a table
---@param value any
---@return table?
function getmetatable(value) end

---for i, v in ipairs(list)
---@param list table
function ipairs(list) end

---the key and value after key
---@param t table
---@param key? any
function next(t, key) end

---for k, v in pairs(t)
---@param t table
function pairs(t) end

---calls f and catches its error; limits are not caught
---@param f function
---@param ... any
---@return boolean
---@return any ...
function pcall(f, ...) end

---a == b without metatables
---@param a any
---@param b any
---@return boolean
function rawequal(a, b) end

---t[key] without metatables
---@param t table
---@param key any
---@return any
function rawget(t, key) end

---the arguments from n on, or their number
---@param n integer|'#'
---@param ... any
---@return any
function select(n, ...) end

---sets the metatable of a table
---@param t table
---@param meta table?
---@return table
function setmetatable(t, meta) end

---the number that value is or spells
---@param value any
---@param radix? integer
---@return number?
function tonumber(value, radix) end

---value as text
---@param value any
---@return string
function tostring(value) end

---the name of the type of value
---@param value any
---@return string
function type(value) end

---the items of list
---@param list table
---@param from? integer
---@param to? integer
---@return any ...
function unpack(list, from, to) end

---calls f; handler makes something of its error
---@param f function
---@param handler fun(err: any): any
---@return boolean
---@return any ...
function xpcall(f, handler) end

---the call goes ahead without asking anybody
---@param reason? string
---@return Verdict
function allow(reason) end

---a person decides
---@param reason? string
---@return Verdict
function ask(reason) end

---the host postpones the call
---@param reason? string
---@return Verdict
function defer(reason) end

---the call does not happen; the model reads the reason
---@param reason? string
---@return Verdict
function deny(reason) end

---the agent ends its run; the user reads the reason
---@param reason? string
---@return Verdict
function stop(reason) end

---adds text for the model
---@param text string
---@return Verdict
function context(text) end

---shows text to the user
---@param text string
---@return Verdict
function notice(text) end

---keeps the agent working, for this reason
---@param text string
---@return Verdict
function go_on(text) end

---replaces the whole tool input
---@param input table
---@return Verdict
function rewrite(input) end

---replaces the result of the tool or agent
---@param value any
---@return Verdict
function output(value) end

---on an event: the agent may try again; in on_failure: again after so many seconds
---@param delay? number
---@return Verdict
function retry(delay) end

---the output is not shown
---@return Verdict
function quiet() end

---for the host, not interpreted
---@param values table
---@return Verdict
function metadata(values) end

---in task.on_failure: the plan goes on without the task
---@return Verdict
function skip() end

---in on_failure: it has failed for good
---@param reason? string
---@return Verdict
function fail(reason) end

---in subagent.on_failure: another agent does it
---@param agent string
---@return Verdict
function delegate(agent) end

---a field that only this event has, such as sessionTitle
---@param name string
---@param value any
---@return Verdict
function specific(name, value) end

-- Only in *_test.lua, which pawl test runs.

---a test; each runs with empty state
---@param name string
---@param body fun()
function test(name, body) end

---sends an event and returns the decision
---@param event table
---@return table
function dispatch(event) end

---fails the test unless value is true
---@param value any
---@param message? string
---@return any
function expect(value, message) end

---what policies keep by state.set under a name
---@param name string
---@return any
function kept(name) end

---environment variables that policies may read
env = {}

---the value of a variable of the list
---@param name string
---@return string?
function env.get(name) end

---path patterns: * ? [a-z] {a,b} and ** for any depth
glob = {}

---whether pattern fits the whole path
---@param pattern string
---@param path string
---@return boolean
function glob.match(pattern, path) end

---JSON texts
json = {}
---@type userdata
json.null = nil

---the value of a JSON text; whole numbers beyond 2^53 are texts
---@param text string
---@return any
function json.decode(text) end

---value as a JSON text on one line
---@param value any
---@return string
function json.encode(value) end

---marks an empty table as an array
---@param t? table
---@return table
function json.array(t) end

---lines for the log of the host
log = {}

---writes a line at level debug
---@param ... any
function log.debug(...) end

---writes a line at level info
---@param ... any
function log.info(...) end

---writes a line at level warn
---@param ... any
function log.warn(...) end

---writes a line at level error
---@param ... any
function log.error(...) end

---numbers
math = {}
---@type number
math.huge = nil
---@type number
math.pi = nil

---as in Lua 5.1
---@param ... number
---@return number
function math.abs(...) end

---as in Lua 5.1
---@param ... number
---@return number
function math.ceil(...) end

---as in Lua 5.1
---@param ... number
---@return number
function math.exp(...) end

---as in Lua 5.1
---@param ... number
---@return number
function math.floor(...) end

---as in Lua 5.1
---@param ... number
---@return number
function math.fmod(...) end

---as in Lua 5.1
---@param ... number
---@return number
function math.log(...) end

---as in Lua 5.1
---@param ... number
---@return number
function math.log10(...) end

---as in Lua 5.1
---@param ... number
---@return number
function math.max(...) end

---as in Lua 5.1
---@param ... number
---@return number
function math.min(...) end

---as in Lua 5.1
---@param ... number
---@return number
function math.modf(...) end

---as in Lua 5.1
---@param ... number
---@return number
function math.pow(...) end

---as in Lua 5.1
---@param ... number
---@return number
function math.sqrt(...) end

---file names with slashes; nothing is read
path = {}

---the last element
---@param name string
---@return string
function path.base(name) end

---without . and ..
---@param name string
---@return string
function path.clean(name) end

---all but the last element
---@param name string
---@return string
function path.dir(name) end

---the suffix from the last dot on
---@param name string
---@return string
function path.ext(name) end

---the home directory of the user
---@return string
function path.home() end

---whether it starts at the root
---@param name string
---@return boolean
function path.is_abs(name) end

---elements joined and cleaned
---@param ... string
---@return string
function path.join(...) end

---the project root
---@return string
function path.root() end

---whether name, cleaned, is dir or below it
---@param dir string
---@param name string
---@return boolean
function path.within(dir, name) end

---regular expressions (RE2), linear in time
re = {}

---the bounds of the first match
---@param expression string
---@param text string
---@return integer?
---@return integer?
function re.find(expression, text) end

---replaces all matches; ${1} and ${name} are captures
---@param expression string
---@param text string
---@param repl string
---@return string
function re.gsub(expression, text, repl) end

---captures of the first match, or the whole of it
---@param expression string
---@param text string
---@return string?
---@return any ...
function re.match(expression, text) end

---whether there is a match
---@param expression string
---@param text string
---@return boolean
function re.test(expression, text) end

---what outlives a call: values of this policy file, by session or for all of them
state = {}

---the value, or nil
---@param key string
---@param options? {ttl?: number, scope?: 'session'|'all'}
---@return any
function state.get(key, options) end

---keeps a value; ttl in seconds
---@param key string
---@param value any
---@param options? {ttl?: number, scope?: 'session'|'all'}
function state.set(key, value, options) end

---adds to a number, atomically, and returns it; its ttl runs from the first call
---@param key string
---@param by? number
---@param options? {ttl?: number, scope?: 'session'|'all'}
---@return number
function state.incr(key, by, options) end

---forgets the value
---@param key string
---@param options? {ttl?: number, scope?: 'session'|'all'}
function state.delete(key, options) end

---as in Lua 5.1; patterns count their steps, results have a limit
string = {}

---the codes of bytes
---@param s string
---@param from? integer
---@param to? integer
---@return any ...
function string.byte(s, from, to) end

---the text of byte codes
---@param ... integer
---@return string
function string.char(...) end

---bounds and captures of the first match
---@param s string
---@param pattern string
---@param init? integer
---@param plain? boolean
---@return integer?
---@return integer?
---@return any ...
function string.find(s, pattern, init, plain) end

---text with values put in
---@param format string
---@param ... any
---@return string
function string.format(format, ...) end

---iterates over all matches
---@param s string
---@param pattern string
---@return function
function string.gmatch(s, pattern) end

---replaces matches
---@param s string
---@param pattern string
---@param repl string|table|function
---@param n? integer
---@return string
---@return integer
function string.gsub(s, pattern, repl, n) end

---the number of bytes
---@param s string
---@return integer
function string.len(s) end

---in lower case
---@param s string
---@return string
function string.lower(s) end

---captures of the first match
---@param s string
---@param pattern string
---@param init? integer
---@return string?
---@return any ...
function string.match(s, pattern, init) end

---s n times
---@param s string
---@param n integer
---@return string
function string.rep(s, n) end

---backwards
---@param s string
---@return string
function string.reverse(s) end

---a part
---@param s string
---@param from integer
---@param to? integer
---@return string
function string.sub(s, from, to) end

---in upper case
---@param s string
---@return string
function string.upper(s) end

---callbacks of the agents that an agent sends out; only while the file is loaded
subagent = {}

---calls back before a subagent starts
---@param callback fun(a: Subagent)
function subagent.before(callback) end

---calls back when a subagent has come back
---@param callback fun(a: Subagent, result: string)
function subagent.after(callback) end

---calls back when a subagent has failed: retry(seconds), fail() or delegate(agent)
---@param callback fun(a: Subagent, failure: string): Verdict?
function subagent.on_failure(callback) end

---as in Lua 5.1
table = {}

---the items in one text
---@param list table
---@param separator? string
---@param from? integer
---@param to? integer
---@return string
function table.concat(list, separator, from, to) end

---adds an item
---@param list table
---@param at? integer
---@param value any
function table.insert(list, at, value) end

---the largest index
---@param t table
---@return integer
function table.maxn(t) end

---takes an item out
---@param list table
---@param at? integer
---@return any
function table.remove(list, at) end

---sorts in place
---@param list table
---@param less? fun(a: any, b: any): boolean
function table.sort(list, less) end

---callbacks of the tasks of a plan; only while the file is loaded
task = {}

---calls back before a task starts
---@param callback fun(t: Task)
function task.before(callback) end

---calls back when a task has succeeded
---@param callback fun(t: Task, result: string)
function task.after(callback) end

---calls back when a task has failed: retry(seconds), skip() or fail()
---@param callback fun(t: Task, failure: string): Verdict?
function task.on_failure(callback) end

---the clock of the engine; times are seconds since 1970
time = {}

---{year, month, day, hour, minute, second, weekday, yearday}; weekday 1 is Monday
---@param seconds? number
---@param zone? 'local'|'utc'
---@return table
function time.date(seconds, zone) end

---RFC 3339 in UTC
---@param seconds? number
---@return string
function time.format(seconds) end

---the current time
---@return number
function time.now() end

---the time of an RFC 3339 text
---@param text string
---@return number?
function time.parse(text) end
