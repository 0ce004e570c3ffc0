package process

import (
	"maps"
	"slices"
	"strings"
)

// injecting are the variables by which an environment makes a shell or the
// dynamic loader run or load something, or read a script otherwise than it
// is written. A name that ends in * is a prefix.
func injecting() []string {
	return []string{
		"BASH_ENV", "ENV", "BASH_FUNC_*", "SHELLOPTS", "BASHOPTS", "BASH_LOADABLES_PATH", "BASH_XTRACEFD",
		"CDPATH", "GLOBIGNORE", "EXECIGNORE", "PS4", "PROMPT_COMMAND", "ZDOTDIR",
		"LD_*", "DYLD_*", "GCONV_PATH",
	}
}

// Environ returns base without the variables that inject code and without
// those in unset, then set in the order of its names. Entries of base that
// set names are replaced; malformed ones are dropped.
func Environ(base []string, set map[string]string, unset ...string) []string {
	drop := append(injecting(), unset...)
	env := make([]string, 0, len(base)+len(set))
	for _, entry := range base {
		name, _, ok := strings.Cut(entry, "=")
		if _, replaced := set[name]; ok && name != "" && !replaced && !named(drop, name) {
			env = append(env, entry)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		env = append(env, name+"="+set[name])
	}
	return env
}

func named(list []string, name string) bool {
	return slices.ContainsFunc(list, func(pattern string) bool {
		prefix, open := strings.CutSuffix(pattern, "*")
		return name == pattern || open && strings.HasPrefix(name, prefix)
	})
}
