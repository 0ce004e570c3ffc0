package lua

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

// absent is a name that was looked up and is not there.
type absent struct {
	of    string // a module; "" for globals
	name  string
	where string // file:line: that looked
}

// text tells of it, with what may be meant among the names that are there.
func (a absent) text(there []string) (message, advice string) {
	message = fmt.Sprintf("undefined global %q", a.name)
	full := a.name
	if a.of != "" {
		message, full = fmt.Sprintf("%s has no %q", a.of, a.name), a.of+"."+a.name
	}
	if advice = instead[full]; advice == "" && len(a.name) > 2 { // shorter names resemble anything
		advice = hook.DidYouMean(clip(a.name, 60), there)
	}
	return message, advice
}

const out = "policies reach no files, no processes and no code but their own"

// instead has what policies have instead of names of other Luas and languages.
var instead = map[string]string{
	"print": "write log.info(…), a line for the log of the host",
	"os":    "time.now() is the clock, env.get(name) the environment; " + out,
	"io":    out, "load": out, "loadstring": out, "loadfile": out, "dofile": out, "debug": out, "module": out,
	"coroutine": "policies have none", "collectgarbage": "there is no need to", "rawset": "write t[key] = value",
	"_G": "globals are in no table", "setfenv": "globals are in no table", "getfenv": "globals are in no table",
	"null": "write json.null", "None": "write nil", "True": "write true", "False": "write false",

	"string.contains": `write text:find("…", 1, true)`, "string.includes": `write text:find("…", 1, true)`,
	"string.starts_with": "write text:sub(1, #start) == start", "string.startswith": "write text:sub(1, #start) == start",
	"string.ends_with": "write text:sub(-#tail) == tail", "string.endswith": "write text:sub(-#tail) == tail",
	"string.split": `write for word in text:gmatch("%S+") do`, "string.trim": `write text:match("^%s*(.-)%s*$")`,
	"string.replace": "write text:gsub(pattern, replacement)",
	"json.parse":     "write json.decode(text)", "json.loads": "write json.decode(text)", "json.stringify": "write json.encode(value)", "json.dumps": "write json.encode(value)",
	"table.unpack": "write unpack(…)", "table.getn": "write #list", "math.random": "policies leave nothing to chance",
}

// missed makes the function that notes what a module, or the library, does
// not have: the error that follows does not name it.
func (s *state) missed(of string) *glua.LFunction {
	return s.L.NewFunction(func(L *glua.LState) int {
		s.absent = absent{of, L.Get(2).String(), L.Where(1)}
		if strings.HasPrefix(s.absent.where, "[G]") {
			s.absent.where = L.Where(2) // openMethods has asked
		}
		L.Push(glua.LNil)
		return 1
	})
}

// blame adds to f, an error about nil, the name that its line looked up in vain.
func (s *state) blame(f *fault) {
	if name, line, _ := place(s.absent.where); name != f.name || line != f.line || line == 0 {
		return
	}
	var there []string
	if s.absent.of != "" {
		for _, f := range s.modules[s.absent.of]().functions {
			there = append(there, f.name)
		}
	} else {
		there = slices.Sorted(maps.Keys(s.modules))
		s.library.ForEach(func(k, _ glua.LValue) { there = append(there, k.String()) })
		s.current.env.ForEach(func(k, _ glua.LValue) { there = append(there, k.String()) })
		slices.Sort(there)
	}
	message, advice := s.absent.text(there)
	f.msg, f.advice, f.word = f.msg+"; "+message, advice, s.absent.name
}
