package shell

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// find follows the commands of -exec, -ok and their kin.
func (s *scope) find(v invocation) {
	t := s.inner("find", false)
	for i := 1; i < len(v.words); i++ {
		switch v.words[i].text {
		case "-execdir", "-okdir":
			t.dir = hook.Word{Text: "-execdir"}
		case "-exec", "-ok":
			t.dir = s.dir
		default:
			w := v.words[i]
			if has(findValues, w.text) && i+1 < len(v.words) && v.words[i+1].known {
				i++ // `-name -exec`
				continue
			}
			if !w.known && !strings.HasPrefix(w.src, "\"") && w.text == hole && i > 1 {
				s.unknownWord(w)
			}
			if before, _, ok := strings.Cut(w.text, hole); ok && startsExec(before) && !has(findValues, v.words[i-1].text) {
				s.mayExec(t, v, i)
			}
			continue
		}
		end := i + 1
		for end < len(v.words) && v.words[end].text != ";" && (v.words[end].text != "+" || v.words[end-1].text != "{}") {
			end++
		}
		if end > i+1 {
			last := v.words[end-1]
			t.invoke(invocation{words: replaced(v.words[i+1:end], "{}"), assigns: v.assigns, end: last.pos + len(last.src)})
		}
		i = end
	}
}

// findValues are the tests of find with a value.
const findValues = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -printf -newer -anewer -cnewer -newermt -newerat -newerct -samefile -user -group -uid -gid -perm -size -type -xtype -mtime -atime -ctime -mmin -amin -cmin -maxdepth -mindepth -links -inum -fstype -fprint -fprint0 -fls -fprintf -regextype -D -used -context -files0-from"

// tar follows the options of its first word where that has no dash: those
// with a value take the next words.
func (s *scope) tar(v invocation) {
	if len(v.words) < 2 || strings.HasPrefix(v.words[1].text, "-") {
		return
	}
	next := 2
	for _, c := range v.words[1].text {
		if strings.ContainsRune("bfgCFHIKLNTVX", c) && next < len(v.words) {
			if c == 'I' || c == 'F' {
				s.inner("tar", false).possible(v.words[next])
			}
			next++
		}
	}
}

// startsExec reports that text is the start of -exec or one of its kin.
func startsExec(text string) bool {
	return strings.HasPrefix("-execdir", text) || strings.HasPrefix("-okdir", text)
}

// mayExec follows the words behind a word that may be -exec, if a word ends
// them as a command.
func (s *scope) mayExec(t *scope, v invocation, i int) {
	for end := i + 2; end < len(v.words); end++ {
		if x := v.words[end].text; x == ";" || x == "+" || strings.Contains(x, hole) {
			may := *t
			may.sure = false
			may.invoke(invocation{words: replaced(v.words[i+1:end], "{}"), assigns: v.assigns, end: v.end})
			return
		}
	}
}

var parallelRow = Wrapper{Name: "parallel", Flags: "0 k q r t u v X m bar dry-run eta group keep-order line-buffer null pipe progress quote tag verbose will-cite xargs citation no-notice ungroup cat fifo shuf resume plain", Values: "a C d D E I j L l N n P S arg-file arg-sep arg-file-sep colsep delay delimiter env halt header jobs joblog load max-args max-procs memfree nice results retries rpl sshlogin sshloginfile tagstring timeout tmpdir trim wd workdir block recstart recend"}

// parallel follows GNU parallel: a command template, or whole commands from
// arguments or input.
func (s *scope) parallel(v invocation) {
	cut := len(v.words)
	var inputs []word
	for i, w := range v.words {
		if strings.HasPrefix(w.text, ":::") {
			cut, inputs = i, v.words[i:]
			break
		}
	}
	words := v.words[:cut]
	t := s.inner("parallel", false)
	command := words[parallelRow.scan(words).start:]
	if len(command) > 0 {
		template := make([]word, len(command))
		copy(template, command)
		marked := false
		for i, w := range template {
			if open := strings.IndexByte(w.text, '{'); open >= 0 && strings.IndexByte(w.text[open:], '}') > 0 {
				template[i] = filled(w)
				marked = true
			}
		}
		if !marked {
			template = append(template, word{text: mildHole, src: "{}", why: "it comes from input", pos: command[0].pos})
		}
		t.text(joined(template), newShell)
		return
	}
	if len(inputs) > 0 && inputs[0].text == ":::" {
		for _, w := range inputs[1:] {
			t.text(w, newShell)
		}
		return
	}
	t.reads("parallel", s.reading(), v.words[0].pos)
	if len(inputs) > 0 {
		s.opaque("parallel runs what is in a file", inputs[0].pos)
	}
}

// filled puts holes for the replacement strings {} {.} {/} {1} of parallel,
// which quotes what it fills in.
func filled(w word) word {
	var b strings.Builder
	for text := w.text; ; {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			break
		}
		inner, after, closed := strings.Cut(rest, "}")
		if !closed || strings.Trim(inner, "0123456789./#%+-:") != "" {
			b.WriteByte('{')
			text = rest
			continue
		}
		b.WriteString(mildHole)
		text = after
	}
	w.text, w.known, w.why, w.sub = b.String(), false, "it comes from input", nil
	return w
}

// git follows what git itself may run: -c values, and configuration.
func (s *scope) git(v invocation) {
	t := s.inner("git", false)
	sub := 1 + shifted(v.words, 0, "git", func(w word) string { return w.text })
	for i := 1; i < sub && i < len(v.words); i++ {
		switch w := v.words[i]; {
		case w.text == "-c" && i+1 < len(v.words) && runsKey(v.words[i+1].text):
			t.configured(v.words[i+1])
		case strings.HasPrefix(w.text, "--config-env="):
			s.configEnv(v, w, w.text[len("--config-env="):])
		case w.text == "--config-env" && i+1 < len(v.words):
			s.configEnv(v, w, v.words[i+1].text)
		case strings.HasPrefix(w.text, "--exec-path="):
			s.opaque("git runs programs from "+shown(w.text), w.pos)
		}
	}
	if sub >= len(v.words) {
		return
	}
	rest := v.words[sub+1:]
	switch v.words[sub].text {
	case "config":
		key := false
		for _, w := range rest {
			if key && !strings.HasPrefix(w.text, "-") {
				t.possible(w)
				t.possible(word{text: "git " + w.text, src: w.src, known: w.known, why: w.why, pos: w.pos}) // an alias
			}
			key = key || !strings.HasPrefix(w.text, "-") && runsKey(w.text)
		}
	case "grep":
		for _, w := range rest {
			if pager, ok := strings.CutPrefix(w.text, "-O"); ok {
				t.possible(literal(pager, w.pos))
			} else if name, pager, ok := strings.Cut(w.text, "="); ok && len(name) > 3 && strings.HasPrefix("--open-files-in-pager", name) {
				t.possible(literal(pager, w.pos))
			}
		}
	case "clone", "fetch", "pull", "ls-remote", "remote", "submodule", "push":
		for _, w := range rest {
			if text, ok := strings.CutPrefix(w.text, "ext::"); ok {
				t.possible(literal(strings.ReplaceAll(text, "% ", " "), w.pos))
			}
		}
	}
}

// configured follows KEY=VALUE of git -c: what it runs, the subcommand that an
// alias is, and the directory of its hooks.
func (s *scope) configured(w word) {
	s.possible(w)
	key, value, _ := strings.Cut(w.text, "=")
	key = strings.ToLower(key)
	if strings.HasPrefix(key, "alias.") && !strings.HasPrefix(value, "!") {
		w.text = "git " + value
		s.possible(w)
	}
	if key == "core.hookspath" && value != "" && value != "/dev/null" {
		s.opaque("git runs the hooks in "+shown(value), w.pos)
	}
}

// configEnv follows --config-env=KEY=VARIABLE.
func (s *scope) configEnv(v invocation, w word, setting string) {
	key, name, _ := cutLast(setting, '=')
	if !runsKey(key) {
		return
	}
	for _, a := range v.assigns {
		if a.Name == name && a.Value.Known {
			s.inner("git", false).possible(literal(a.Value.Text, w.pos))
			return
		}
	}
	if values, ok := s.lookup(name); ok {
		for _, value := range values {
			s.inner("git", false).possible(literal(value, w.pos))
		}
		return
	}
	s.opaque("git runs what $"+name+" holds", w.pos)
}

// runsKey reports that git may run the value of a configuration key.
func runsKey(key string) bool {
	key, _, _ = strings.Cut(strings.ToLower(key), "=")
	if strings.ContainsAny(key, holes) {
		return true
	}
	section, _, _ := strings.Cut(key, ".")
	_, name, _ := cutLast(key, '.')
	return has("alias pager diff difftool merge mergetool filter credential gpg browser man guitool include includeif trailer interactive sendemail", section) ||
		has("pager editor sshcommand fsmonitor hookspath askpass gitproxy uploadpack receivepack proxy update vcs helper packobjectshook", name)
}

// cmake follows the commands of cmake -E that run others or remove files.
func (s *scope) cmake(v invocation) {
	for i := 1; i+1 < len(v.words); i++ {
		if v.words[i].text != "-E" {
			continue
		}
		rest := v.words[i+1:]
		switch rest[0].text {
		case "chdir":
			rest = rest[min(2, len(rest)):]
		case "time":
			rest = rest[1:]
		case "env", "rm":
		default:
			return
		}
		s.inner("cmake", false).invoke(invocation{words: rest, end: v.end})
		return
	}
}

// multiplexer follows tmux and screen: any operand may be shell text, or all
// of them together a command.
func (s *scope) multiplexer(name string, v invocation) {
	if name == "tmux" && tmuxQuiet(v.words) || name == "screen" && len(v.words) > 1 && has("-ls -list -r -x -wipe -R -d -D", v.words[1].text) && !screenRuns(v.words) {
		return
	}
	t := s.inner(name, false)
	t.sure = false
	for i, w := range v.words[1:] {
		if w.text == "" || w.text[0] == '-' || name == "tmux" && has("-s -n -t -x -y", v.words[i].text) && w.known && !strings.Contains(w.text, "#(") {
			continue
		}
		if name == "tmux" {
			w.text = strings.ReplaceAll(w.text, "#(", "$(") // a format runs what is in it
		}
		t.possible(w)
		if i < 8 && w.known && looksLikeProgram(w.text) && i+2 < len(v.words) {
			t.invoke(invocation{words: v.words[i+1:], end: v.end})
		}
	}
	if name == "screen" {
		return
	}
	for _, w := range v.words[1:] {
		if w.text == "source-file" || w.text == "source" || w.text == "-f" {
			s.opaque(name+" runs what is in a file", w.pos)
		}
	}
}

// tmuxQuietly are the commands of tmux that start nothing.
const tmuxQuietly = "kill-session kill-server kill-window kill-pane list-sessions ls list-windows lsw list-panes lsp list-clients lsc list-keys lsk has-session has attach-session attach rename-session rename rename-window renamew select-window selectw select-pane selectp capture-pane capturep display-message detach-client detach switch-client switchc show-options show show-buffer showb next-window next previous-window prev last-window last resize-pane resizep swap-pane swap-window swapp swapw"

// tmuxQuiet reports that tmux with these words runs no operand.
func tmuxQuiet(words []word) bool {
	at := 1 + shifted(words, 0, "tmux", func(w word) string { return w.text })
	return at < len(words) && words[at].known && has(tmuxQuietly, words[at].text) && !slices.ContainsFunc(words, func(w word) bool {
		return !w.known || strings.HasSuffix(w.text, ";") || strings.Contains(w.text, "#(") || w.text == "-f"
	})
}

// screenRuns reports an option with which screen runs a command or reads keys.
func screenRuns(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		return !w.known || strings.HasPrefix(w.text, "-") && strings.ContainsAny(w.text, "Xcm")
	})
}

// scheduled follows at and batch, which store shell text to run later.
func (s *scope) scheduled(name string, v invocation) {
	for _, w := range v.words[1:] {
		switch w.text {
		case "-l", "-r", "-d", "-c", "-V":
			return
		case "-f":
			s.opaque(name+" runs what is in a file", w.pos)
			return
		}
	}
	s.inner(name, false).reads(name, s.reading(), v.words[0].pos)
}
