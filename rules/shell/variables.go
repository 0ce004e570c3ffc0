package shell

import (
	"slices"
	"strings"
)

// runVariables hold shell text that bash, git and others run.
const runVariables = "PROMPT_COMMAND PS0 PS1 PS2 PS4 GIT_SSH_COMMAND GIT_SSH GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_ASKPASS GIT_PROXY_COMMAND SSH_ASKPASS SUDO_ASKPASS EDITOR VISUAL PAGER MANPAGER LESSOPEN LESSCLOSE BROWSER FCEDIT RSYNC_RSH CVS_RSH TAR_OPTIONS MAKEFLAGS GNUMAKEFLAGS SHELL CC CXX LD"

// prompts are expanded before they are shown.
const prompts = "PS0 PS1 PS2 PS4"

// startVariables make programs run what they name before anything else.
const startVariables = "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES MAKEFILES BASH_ENV GIT_EXEC_PATH GIT_CONFIG_PARAMETERS"

// codeVariables hold options or code of an interpreter.
const codeVariables = "PERL5OPT PERL5DB EXINIT VIMINIT"

// loadVariables hold options of an interpreter, some of which load code.
const loadVariables = "NODE_OPTIONS RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS"

// exported follows the value of a variable that programs run.
func (s *scope) exported(name string, value word) {
	value.sub = nil
	if name == "LESSOPEN" || name == "LESSCLOSE" {
		value.text = strings.TrimLeft(value.text, "|-")
	}
	if name == "CDPATH" { // also for the one cd that it stands before
		s.note(name)
	}
	t := *s
	t.sure = false
	switch {
	case has(startVariables, name):
		if value.text != "" && value.text != "/dev/null" {
			t.expanded(value)
			s.opaque(name+" makes programs run what it names", value.pos)
		}
	case has(codeVariables, name):
		if strings.ContainsAny(value.text, ";( "+hole) {
			s.opaque(name+" holds code", value.pos)
		}
	case has(loadVariables, name):
		if slices.ContainsFunc([]string{"-r", "--import", "loader", "-javaagent", "-agent", hole}, func(o string) bool { return strings.Contains(value.text, o) }) {
			s.opaque(name+" loads code", value.pos)
		}
	case name == "TAR_OPTIONS" && strings.ContainsAny(value.text, "=IF"+hole):
		s.opaque("tar may run what "+name+" says", value.pos)
	case strings.HasPrefix(name, "BASH_FUNC_"):
		value.text = "f " + value.text
		t.possible(value)
	case has(prompts, name):
		t.expanded(value)
		t.possible(value)
	case has(runVariables, name) || strings.HasPrefix(name, "GIT_CONFIG_VALUE_"):
		t.possible(value)
	}
}

// named follows a builtin that sets a variable to what is not known here.
func (s *scope) named(name string, pos int) {
	switch {
	case has(startVariables+" "+codeVariables+" BASH_ALIASES BASH_CMDS", name), has(runVariables, name), strings.HasPrefix(name, "GIT_CONFIG_VALUE_"):
		s.opaque("what $"+name+" is set to is not known, and programs run it", pos)
	}
}

// table follows an assignment to the aliases or the remembered programs of
// the shell: element is its subscript.
func (s *scope) table(name, element string, value word) {
	if strings.Contains(element, hole) || element == "" {
		s.opaque(name+" may give a name to anything", value.pos)
		return
	}
	s.setAlias(element, value)
	s.inner("alias", false).possible(value)
}
