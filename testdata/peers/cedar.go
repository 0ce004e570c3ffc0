package main

import (
	"fmt"
	"strings"

	"github.com/cedar-policy/cedar-go"

	"github.com/pawl-dev/pawl/engine"
)

// loadCedar writes a deny as forbid, an allow as permit, and an ask as a
// permit that the reasons of the decision name.
func loadCedar(rules []rule) (decider, error) {
	set := cedar.NewPolicySet()
	for i := range rules {
		var p cedar.Policy
		if err := p.UnmarshalCedar([]byte(cedarPolicy(&rules[i]))); err != nil {
			return nil, err
		}
		set.Add(cedar.PolicyID(rules[i].verdict.String()+"-"+rules[i].id), &p)
	}
	agent, project := cedar.NewEntityUID("User", "agent"), cedar.NewEntityUID("Project", "p")
	return func(e *event) (engine.Verdict, error) {
		ok, diag := cedar.Authorize(set, nil, cedar.Request{
			Principal: agent, Action: cedar.NewEntityUID("Action", cedar.String(e.Tool)), Resource: project, Context: cedarContext(e),
		})
		if len(diag.Errors) > 0 {
			return engine.None, fmt.Errorf("cedar: %s", diag.Errors[0])
		}
		return cedarVerdict(ok, diag), nil
	}, nil
}

func cedarVerdict(ok cedar.Decision, diag cedar.Diagnostic) engine.Verdict {
	switch {
	case len(diag.Reasons) == 0:
		return engine.None
	case ok == cedar.Deny:
		return engine.Deny
	}
	for _, r := range diag.Reasons {
		if strings.HasPrefix(string(r.PolicyID), "ask-") {
			return engine.Ask
		}
	}
	return engine.Allow
}

func cedarContext(e *event) cedar.Record {
	m := cedar.RecordMap{}
	switch e.Tool {
	case "Bash":
		m["command"], m["mode"] = cedar.String(e.Command), cedar.String(e.Mode)
	case "Edit":
		m["path"] = cedar.String(e.Path)
	case "Write":
		m["content"] = cedar.String(e.Content)
	case "WebFetch":
		m["host"] = cedar.String(e.host())
	}
	return cedar.NewRecord(m)
}

func cedarPolicy(r *rule) string {
	effect, when := "permit", ""
	if r.verdict == engine.Deny {
		effect = "forbid"
	}
	switch r.kind {
	case onName:
	case onCommand:
		when = fmt.Sprintf("context.command like %q", r.text+" *")
	case onPath:
		when = fmt.Sprintf("context.path like %q", r.text+"/*")
	case onHost:
		when = fmt.Sprintf("context.host == %q", r.text)
	case onDomain:
		when = fmt.Sprintf("context.host like %q", "*."+r.text)
	case onContent:
		when = fmt.Sprintf("context.content like %q", "*"+r.text+"*")
	case onCommandHas:
		when = fmt.Sprintf("context.command like %q && context.mode != \"plan\"", "*"+r.text+"*")
	}
	head := fmt.Sprintf("%s(principal, action == Action::%q, resource)", effect, r.tool)
	if when == "" {
		return head + ";"
	}
	return head + " when { " + when + " };"
}
