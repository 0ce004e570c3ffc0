package main

import "fmt"

// spelling is how one expression language spells the tests of a rule.
type spelling struct{ prefix, suffix, contains string }

// source writes r as an expression over tool, command, path, host, content
// and mode.
func (s spelling) source(r *rule) string {
	cond := fmt.Sprintf("tool == %q", r.tool)
	test := func(form, field, text string) { cond += " && " + fmt.Sprintf(form, field, text) }
	switch r.kind {
	case onName:
	case onCommand:
		test(s.prefix, "command", r.text+" ")
	case onPath:
		test(s.prefix, "path", r.text+"/")
	case onHost:
		test("%s == %q", "host", r.text)
	case onDomain:
		test(s.suffix, "host", "."+r.text)
	case onContent:
		test(s.contains, "content", r.text)
	case onCommandHas:
		test(s.contains, "command", r.text)
		cond += ` && mode != "plan"`
	}
	return cond
}
