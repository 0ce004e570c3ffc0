package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

// runners are programs that run their operands: allowing them with a wildcard
// allows everything.
var runners = strings.Fields("xargs timeout env sudo doas nice ionice nohup setsid stdbuf time watch flock chroot find npx bunx uvx pnpx bash sh zsh dash eval exec " +
	"python python3 node perl ruby php docker podman ssh direnv devbox mise nix-shell busybox parallel")

// lintBash notes what a Bash pattern does not do although it seems to.
func lintBash(n *notes, spec string) {
	words := strings.Fields(strings.TrimSuffix(spec, ":*"))
	lintCommand(n, "Bash("+spec+")", spec, words)
	if i := strings.Index(spec, ":*"); i >= 0 && i != len(spec)-2 {
		n.add(hook.Warning, fmt.Sprintf("Bash(%s): :* is literal unless it stands at the end", spec), "write * alone for a wildcard")
	}
	if spec == "**" || spec == "* *" || spec == ":*" {
		n.add(hook.Warning, fmt.Sprintf("Bash(%s) matches every command", spec), "write Bash")
	}
	if n.scope.Grant {
		lintBashGrant(n, spec, words)
	}
}

// lintPatterns does so for the patterns of a call in a condition.
func lintPatterns(n *notes, name string, patterns []string) {
	for _, p := range patterns {
		if name == "bash" {
			lintCommand(n, "bash("+quote(p)+")", p, strings.Fields(p))
		}
	}
}

// lintCommand notes a command pattern that can hardly fit; shown is the
// pattern with its call.
func lintCommand(n *notes, shown, pattern string, words []string) {
	for _, op := range []string{"&&", "||", ";", "|", "&"} {
		if slices.Contains(words, op) || op == ";" && strings.Contains(pattern, "; ") {
			n.add(hook.Warning, fmt.Sprintf("%s can hardly match: sub-commands are judged one by one, without %s between them", shown, op), "write a pattern for one command")
			return
		}
	}
	lintBraces(n, shown, pattern)
	lintGlob(n, shown, pattern)
}

// lintShellGrant notes that text, an allow of a whole tool, is one of a shell.
func lintShellGrant(n *notes, text, tool string) {
	if n.scope.Grant && (tool == "Bash" || tool == "PowerShell") {
		n.add(hook.Note, text+" allows every command that no rule asks about or denies", "name the commands: Bash(npm test), Bash(git log *)")
	}
}

func lintBashGrant(n *notes, spec string, words []string) {
	wildcard := strings.Contains(spec, "*")
	if len(words) > 0 && wildcard && slices.Contains(runners, words[0]) {
		n.add(hook.Warning, fmt.Sprintf("Bash(%s) allows whatever %s is told to run", spec, words[0]), "name the command that it runs")
		return
	}
	star := slices.IndexFunc(words, func(w string) bool { return strings.Contains(w, "*") })
	if star >= 0 && star < len(words)-1 && slices.ContainsFunc(words[star+1:], func(w string) bool { return isWordRune(rune(w[0])) && !strings.Contains(w, "*") }) {
		n.add(hook.Warning, fmt.Sprintf("Bash(%s): the * before %q also matches options and other subcommands", spec, words[star+1]), "put the wildcard at the end")
	}
}

// lintPath warns of a leading slash that looks like the root or the home.
func lintPath(n *notes, tool, spec string) {
	if strings.HasPrefix(spec, "//") || !strings.HasPrefix(spec, "/") {
		return
	}
	first, _, _ := strings.Cut(spec[1:], "/")
	if slices.Contains(strings.Fields("etc home usr var tmp opt root Users bin dev proc sys boot"), first) {
		n.add(hook.Warning, fmt.Sprintf("%s(%s) is below %s, not the root of the file system", tool, spec, orElse(n.scope.Source.Dir, "the directory of this file")), fmt.Sprintf("write %s(/%s) for an absolute path", tool, spec))
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// lintRegex notes a regular expression that matches more than it seems to.
func lintRegex(n *notes, text string, re *regex) {
	if !slices.Contains([]string{".*", "^.*$", "^.*", ".*$", ".+", "^.+$"}, text) && re.match("") == hook.Yes {
		n.add(hook.Warning, fmt.Sprintf("the regular expression %q matches everything", text), "write * for everything")
		return
	}
	if word, ok := strings.CutSuffix(text, "*"); ok && word != "" && isNames(word) {
		n.add(hook.Note, fmt.Sprintf("%q is read as a regular expression, in which * repeats the letter before it", text), fmt.Sprintf("write %s.* for names with this in them", word))
		return
	}
	if !strings.ContainsAny(text, `.*+?^$()[]{}|\`) {
		n.add(hook.Note, fmt.Sprintf("%q is read as a regular expression, which is not anchored", text), fmt.Sprintf("write ^%s$ for this name alone", text))
	}
}
