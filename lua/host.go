package lua

import (
	"path"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

const maxLog = 64 << 10 // bytes of one call

func globGroup() group {
	return group{name: "glob", doc: "path patterns: * ? [a-z] {a,b} and ** for any depth", functions: []function{
		{"match", "(pattern: string, path: string): boolean", "whether pattern fits the whole path", globMatch},
	}}
}

func globMatch(L *glua.LState) int {
	const doing = "glob.match"
	s, pattern, text := of(L), L.CheckString(1), L.CheckString(2)
	if s.runtime.opts.Glob == nil {
		L.RaiseError("%s: not available here", doing)
	}
	if len(pattern) > maxRegex || len(text) > 4*maxRegex {
		L.RaiseError("%s: a pattern of %d and a path of %d bytes, the limits are %d and %d", doing, len(pattern), len(text), maxRegex, 4*maxRegex)
	}
	if n := strings.Count(pattern, "{"); n > 5 || n+strings.Count(pattern, ",") > 32 {
		L.RaiseError("%s: more than 5 braces or 32 alternatives", doing)
	}
	s.step(L, 1000+len(pattern)*(1+len(text)/16), doing)
	ok, err := s.runtime.opts.Glob(pattern, text)
	if err != nil {
		L.RaiseError("%s: %q: %s", doing, clip(pattern, 60), err.Error())
	}
	L.Push(glua.LBool(ok))
	return 1
}

func pathGroup() group {
	text := func(f func(string) string) glua.LGFunction {
		return func(L *glua.LState) int {
			L.Push(of(L).text(L, f(L.CheckString(1)), "path"))
			return 1
		}
	}
	return group{name: "path", doc: "file names with slashes; nothing is read", functions: []function{
		{"base", "(name: string): string", "the last element", text(path.Base)},
		{"clean", "(name: string): string", "without . and ..", text(path.Clean)},
		{"dir", "(name: string): string", "all but the last element", text(path.Dir)},
		{"ext", "(name: string): string", "the suffix from the last dot on", text(path.Ext)},
		{"home", "(): string", "the home directory of the user", func(L *glua.LState) int {
			L.Push(glua.LString(of(L).runtime.opts.Home))
			return 1
		}},
		{"is_abs", "(name: string): boolean", "whether it starts at the root", func(L *glua.LState) int {
			L.Push(glua.LBool(path.IsAbs(L.CheckString(1))))
			return 1
		}},
		{"join", "(...: string): string", "elements joined and cleaned", pathJoin},
		{"root", "(): string", "the project root", func(L *glua.LState) int {
			L.Push(glua.LString(of(L).runtime.opts.Root))
			return 1
		}},
		{"within", "(dir: string, name: string): boolean", "whether name, cleaned, is dir or below it", pathWithin},
	}}
}

func pathJoin(L *glua.LState) int {
	parts := make([]string, L.GetTop())
	size := 0
	for i := range parts {
		parts[i] = L.CheckString(i + 1)
		size += len(parts[i]) + 1
	}
	of(L).size(L, size, "path.join")
	L.Push(glua.LString(path.Join(parts...)))
	return 1
}

func pathWithin(L *glua.LState) int {
	dir, name := path.Clean(L.CheckString(1)), path.Clean(L.CheckString(2))
	L.Push(glua.LBool(name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/")))
	return 1
}

func logGroup() group {
	g := group{name: "log", doc: "lines for the log of the host"}
	for _, level := range []string{"debug", "info", "warn", "error"} {
		g.functions = append(g.functions, function{level, "(...: any)", "writes a line at level " + level, func(L *glua.LState) int { return logLine(L, level) }})
	}
	return g
}

func logLine(L *glua.LState, level string) int {
	s := of(L)
	line := level + ": " + strings.TrimSuffix(L.Where(1), ":") + ":"
	for i := 1; i <= L.GetTop(); i++ {
		text := s.shownValue(L, L.Get(i)).String()
		line += " " + clip(text, 4<<10)
		s.charge(L, min(len(text), 4<<10))
	}
	if len(s.log)+len(line) < maxLog {
		s.log = append(append(s.log, line...), '\n')
	}
	return 0
}

func envGroup() group {
	return group{name: "env", doc: "environment variables that policies may read", functions: []function{
		{"get", "(name: string): string?", "the value of a variable of the list", envGet},
	}}
}

func envGet(L *glua.LState) int {
	r, name := of(L).runtime, L.CheckString(1)
	if !r.env[name] {
		L.RaiseError("env.get: %q is not in the list of variables that policies may read", clip(name, 60))
	}
	if r.opts.Env == nil {
		L.RaiseError("env.get: not available here")
	}
	if value, ok := r.opts.Env(name); ok {
		L.Push(glua.LString(value))
	} else {
		L.Push(glua.LNil)
	}
	return 1
}
