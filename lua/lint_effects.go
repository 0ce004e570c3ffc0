package lua

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/pawl-dev/pawl/engine/hook"
)

// vainVerdicts finds verdicts that a handler returns and its event does not
// take, and those of callbacks likewise.
func vainVerdicts(s *survey) (found []finding) {
	for _, c := range s.functions {
		for i := 0; i < len(c.returns) && len(c.events)+len(c.points) > 0; i++ {
			for _, say := range s.said(c.returns[i].expr) {
				if f := c.judge(s, say); f.message != "" {
					f.at = say.site.at
					found = append(found, f)
				}
			}
		}
	}
	return found
}

// judge says what is wrong with a verdict that f returns.
func (f *routine) judge(s *survey, say saying) (worst finding) {
	for _, p := range f.points {
		if !slices.Contains(p.words(), say.word) {
			return finding{severity: hook.Error, message: fmt.Sprintf("%s(…) is an error in %s", say.word, p), advice: "return " + p.wants()}
		}
	}
	switch {
	case f.rewake && (say.word == "deny" || say.word == "go_on"):
		return finding{}
	case f.async || f.rewake:
		return finding{severity: hook.Warning, message: fmt.Sprintf("%s(…) comes to nothing: the handler runs after the decision", say.word), advice: "leave out async"}
	}
	var vain []string
	for _, event := range f.events {
		info, known := hook.Lookup(hook.EventName(event))
		if !known {
			continue
		}
		if w := judge(info, say); w.message != "" {
			worst = w
			vain = append(vain, event)
		}
	}
	switch {
	case len(vain) == len(f.events) || len(vain) == 0:
	case s.asksEvent(f):
		return finding{} // it knows which event it answers
	default:
		worst.severity = hook.Warning
	}
	worst.message = strings.Replace(worst.message, "EVENT", strings.Join(vain, ", "), 1)
	return worst
}

// judge says what is wrong with a verdict on one event.
func judge(info *hook.EventInfo, say saying) finding {
	warn := func(message, advice string) finding {
		return finding{severity: hook.Warning, message: message, advice: advice}
	}
	needs := map[string]hook.Effect{"rewrite": hook.CanRewrite, "context": hook.CanContext, "output": hook.CanResult, "go_on": hook.CanContinue, "retry": hook.CanRetry}
	switch word := say.word; word {
	case "deny", "ask", "defer":
		if !info.Deciding() {
			return finding{severity: hook.Error, message: word + " can never have an effect: nothing can be stopped on EVENT"}
		}
		if word != "deny" && !info.Has(hook.CanAnswer) {
			return warn("nobody can be asked on EVENT: "+word+" blocks there", "write deny, which says so")
		}
	case "allow":
		if !info.Has(hook.CanAnswer) {
			return warn("allow has no effect: there is nothing to grant on EVENT", "return nothing")
		}
	case "skip", "fail", "delegate":
		return finding{severity: hook.Error, message: word + "(…) is an error on EVENT", advice: "it is for on_failure of task and subagent"}
	case "specific":
		name, ok := first(say.site.expr.Args).(*ast.StringExpr)
		if ok && !slices.Contains(info.Specific, name.Value) {
			return finding{severity: hook.Error, message: fmt.Sprintf("EVENT has no field %q", name.Value), advice: hook.DidYouMean(name.Value, info.Specific)}
		}
	default:
		if need := needs[word]; need != 0 && !info.Has(need) {
			return warn(word+" has no effect on EVENT", "")
		}
	}
	return finding{}
}

// asksEvent reports whether f looks at which event it handles.
func (s *survey) asksEvent(f *routine) bool {
	return slices.ContainsFunc(s.members, func(m member) bool {
		return m.in == f && m.name == "event" && s.kindOf(m.object) == "Event"
	})
}
