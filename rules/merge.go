package rules

import (
	"slices"
	"strings"
)

// mergeTerms joins the patterns of the same test on the same tool into one
// term, so that each event consults one test only.
func mergeTerms(terms []term) []term {
	var merged []term
	for _, t := range terms {
		o, ok := t.test.(*onTool)
		i := slices.IndexFunc(merged, func(m term) bool {
			p, same := m.test.(*onTool)
			return ok && same && slices.Equal(p.tools, o.tools) && join(p, o) != nil
		})
		if i < 0 {
			merged = append(merged, t)
			continue
		}
		merged[i] = joined(merged[i], t)
	}
	return merged
}

// join returns one test for both, or nil if they are of different kinds.
func join(a, b *onTool) test {
	switch x := a.test.(type) {
	case *bashTest:
		if y, ok := b.test.(*bashTest); ok {
			return &bashTest{slices.Concat(x.globs, y.globs), x.grant}
		}
	case *pathTest:
		if y, ok := b.test.(*pathTest); ok {
			return &pathTest{slices.Concat(x.rules, y.rules), x.access, x.grant, x.named}
		}
	case *powershellTest:
		if y, ok := b.test.(*powershellTest); ok {
			return &powershellTest{slices.Concat(x.globs, y.globs), x.grant}
		}
	case *domainTest:
		if y, ok := b.test.(*domainTest); ok {
			return &domainTest{slices.Concat(x.rules, y.rules)}
		}
	}
	return nil
}

// joined merges b into a: f("x") and f("y") become f("x", "y").
func joined(a, b term) term {
	x, y := a.test.(*onTool), b.test.(*onTool)
	_, args, _ := strings.Cut(b.expr, "(")
	return term{
		test:     &onTool{tools: x.tools, test: join(x, y)},
		expr:     strings.TrimSuffix(a.expr, ")") + ", " + args,
		subjects: a.subjects,
	}
}
