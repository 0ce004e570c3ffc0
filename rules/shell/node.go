package shell

import (
	"regexp"
	"strings"
	"sync"
)

var (
	nodeRegexp = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(^|[=(,:;!&|?{}\[])\s*/(?:[^/\\\n*]|\\.)(?:[^/\\\n]|\\.)*/[a-z]*\.exec\b`)
	})
	nodeMember = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("\\[[^\\]]*[\"'`][^\\]]*(\\+|\\\\[xu])|\\[[^\\]]*\\+[^\\]]*[\"'`]")
	})
	nodeRequire = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(require|import)\s*\(\s*(?:"[^"\\]*"|'[^'\\]*')\s*\)|\brequire\.resolve\b`)
	})
)

// nodeStarts is starts for JavaScript: exec of a regular expression runs
// nothing, and modules are to be named by literals.
func nodeStarts(l language, code string) string {
	bare := nodeRegexp().ReplaceAllString(code, "$1")
	if why := l.starts(bare); why != "" {
		return why
	}
	if nodeMember().MatchString(code) {
		return "a name that is put together"
	}
	bare = nodeRequire().ReplaceAllString(bare, "")
	if mentions(bare, "require") >= 0 {
		return "require"
	}
	if i := mentions(bare, "import"); i >= 0 && strings.HasPrefix(strings.TrimLeft(bare[i+6:], " \t\n"), "(") {
		return "import("
	}
	return ""
}
