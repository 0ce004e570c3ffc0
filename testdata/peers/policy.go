package main

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/engine"
)

// kind says what a rule tests beside the tool.
type kind uint8

const (
	onName       kind = iota // nothing: the tool itself
	onCommand                // the command begins with these words
	onPath                   // the file is below this directory
	onHost                   // the host is this one
	onDomain                 // the host is below this domain
	onContent                // the text to be written contains this
	onCommandHas             // the command contains this, outside of plan mode
)

// rule is one line of the policy.
type rule struct {
	id      string
	kind    kind
	tool    string
	text    string
	verdict engine.Verdict
}

// mix is the order of kinds in a policy: of ten rules four are about
// commands, two about paths, two are conditions.
var mix = []kind{onCommand, onPath, onCommand, onContent, onName, onCommand, onHost, onCommand, onCommandHas, onPath}

// programs begin the commands that rules are about. None of them runs its
// operands, so every engine here may take the text for what it is.
var programs = []string{
	"kubectl delete", "docker rm", "helm uninstall", "terraform destroy", "systemctl stop", "gh delete", "vault delete",
	"etcdctl del", "redis-cli del", "gcloud delete", "az delete", "heroku destroy", "rclone purge", "cargo yank", "pip uninstall",
	"git push", "brew uninstall", "apt remove", "aws delete", "podman rm",
}

// newPolicy makes n rules, always the same ones: a larger policy begins with
// the smaller.
func newPolicy(n int) []rule {
	rules := make([]rule, n)
	for i := range rules {
		rules[i] = newRule(i)
	}
	return rules
}

func newRule(i int) rule {
	r := rule{id: fmt.Sprintf("r%05d", i), kind: mix[i%len(mix)], verdict: engine.Deny}
	switch i % 7 {
	case 3:
		r.verdict = engine.Ask
	case 5:
		r.verdict = engine.Allow
	}
	switch r.kind {
	case onName:
		r.tool, r.text = fmt.Sprintf("mcp__srv%05d__delete", i), ""
	case onCommand:
		r.tool, r.text = "Bash", fmt.Sprintf("%s app-%05d", programs[i%len(programs)], i)
	case onPath:
		r.tool, r.text = "Edit", fmt.Sprintf("/srv/app-%05d/conf", i)
	case onHost:
		r.tool, r.text = "WebFetch", fmt.Sprintf("api.d%05d.example.com", i)
		if i/len(mix)%2 == 1 {
			r.kind, r.text = onDomain, fmt.Sprintf("d%05d.example.org", i)
		}
	case onContent:
		r.tool, r.text = "Write", fmt.Sprintf("secret_%05d_key", i)
	case onCommandHas:
		r.tool, r.text = "Bash", fmt.Sprintf("prod-%05d", i)
	}
	return r
}

// strongestFirst is the order in which a linear engine can stop at the first
// rule that fits.
func strongestFirst(rules []rule) []rule {
	rules = slices.Clone(rules)
	slices.SortStableFunc(rules, func(a, b rule) int { return int(b.verdict) - int(a.verdict) })
	return rules
}
