package dialect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

const claudeName = "claude"

// claude is Claude Code (2.1.296), and every agent that nobody else knows.
func claude() Dialect {
	return Dialect{
		Name:   claudeName,
		Detect: func(hook.Object) bool { return true },
		Decode: func(o hook.Object) (hook.Event, []hook.Diagnostic, error) {
			return decode(o, "hook_event_name")
		},
		Encode: encodeClaude,
	}
}

// claudeStop is how Claude Code is told to block on an event.
type claudeStop uint8

const (
	cannotStop   claudeStop = iota
	byDecision              // decision: block
	byPermission            // hookSpecificOutput.permissionDecision, which can also ask
	byBehavior              // hookSpecificOutput.decision, a permission dialog
	byAction                // hookSpecificOutput.action, a form of an MCP server
	byExit                  // exit code 2 with stderr
	byExitAlone             // exit code alone; stdout is not read as JSON
)

// claudeSays is what hookSpecificOutput may carry on an event beside the
// verdict. On most of those with saysNothing its mere presence fails validation
// and costs the whole reply.
type claudeSays uint8

const (
	saysNothing claudeSays = iota
	saysFields             // the fields of the event
	saysContext            // these and additionalContext
)

type claudeRow struct {
	stop claudeStop
	says claudeSays
}

// claudeRows says for each event what Claude Code takes. It is never written.
var claudeRows = map[hook.EventName]claudeRow{
	hook.SessionStart:        {cannotStop, saysContext},
	hook.Setup:               {cannotStop, saysContext},
	hook.InstructionsLoaded:  {cannotStop, saysNothing},
	hook.UserPromptSubmit:    {byDecision, saysContext},
	hook.UserPromptExpansion: {byDecision, saysContext},
	hook.MessageDisplay:      {cannotStop, saysFields},
	hook.PreToolUse:          {byPermission, saysContext},
	hook.PermissionRequest:   {byBehavior, saysNothing},
	hook.PermissionDenied:    {cannotStop, saysFields},
	hook.PostToolUse:         {byDecision, saysContext},
	hook.PostToolUseFailure:  {byDecision, saysContext},
	hook.PostToolBatch:       {byDecision, saysContext},
	hook.Notification:        {cannotStop, saysContext},
	hook.SubagentStart:       {cannotStop, saysContext},
	hook.SubagentStop:        {byDecision, saysContext},
	hook.TaskCreated:         {byDecision, saysNothing},
	hook.TaskCompleted:       {byExit, saysNothing},
	hook.Stop:                {byDecision, saysContext},
	hook.StopFailure:         {cannotStop, saysNothing},
	hook.TeammateIdle:        {byExit, saysNothing},
	hook.ConfigChange:        {byDecision, saysNothing},
	hook.CwdChanged:          {cannotStop, saysFields},
	hook.DirectoryAdded:      {cannotStop, saysNothing},
	hook.FileChanged:         {cannotStop, saysFields},
	hook.WorktreeCreate:      {byExitAlone, saysNothing},
	hook.WorktreeRemove:      {byExitAlone, saysNothing},
	hook.PreCompact:          {byDecision, saysNothing},
	hook.PostCompact:         {cannotStop, saysNothing},
	hook.PreModelSwitch:      {byPermission, saysFields},
	hook.PostModelSwitch:     {cannotStop, saysContext},
	hook.Elicitation:         {byAction, saysNothing},
	hook.ElicitationResult:   {byAction, saysNothing},
	hook.SessionEnd:          {cannotStop, saysNothing},
}

// claudeReply is a reply in the making.
type claudeReply struct {
	name    hook.EventName
	row     claudeRow
	dec     hook.Decision
	verdict hook.Verdict
	reason  string

	top, specific fields
	notices       []string
	out           Reply
}

func encodeClaude(ev hook.Event, d hook.Decision) Reply {
	row, known := claudeRows[ev.Name]
	if !known {
		row = claudeRow{byExit, saysNothing} // the code is what every host looks at
	}
	d.Specific = latest(d.Specific)
	r := &claudeReply{name: ev.Name, row: row, dec: d, notices: slices.Clone(d.Notices)}
	r.verdict, r.reason = settle(ev.Name, d)
	r.judge()
	r.add()
	return r.finish()
}

// judge says the verdict, and the new input which goes with it.
func (r *claudeReply) judge() {
	if !r.dec.Input.Absent() && r.name != hook.PreToolUse && r.name != hook.PermissionRequest {
		r.lost("new input", string(r.dec.Input.Raw()))
	}
	switch r.row.stop {
	case byPermission:
		r.permission()
	case byBehavior:
		r.behavior()
	case byAction:
		r.action()
	case byExit, byExitAlone:
		if r.verdict >= hook.Ask {
			r.block()
			r.out.Code, r.out.Stderr = 2, stderr(r.reason)
		}
	case byDecision:
		if r.verdict >= hook.Ask {
			r.block()
		}
	case cannotStop:
		if r.verdict >= hook.Ask {
			what := fmt.Sprintf("a hook answered %v, but claude goes on after %s", r.verdict, r.name)
			r.notices = append(r.notices, because(what, hook.Printable(r.reason)))
		}
	}
}

// block says decision: block. TaskCompleted and TeammateIdle go by the exit
// code; they get it too, since exit code 2 with an empty stdout does not count
// if stderr seems to say that a file is missing.
func (r *claudeReply) block() {
	r.reason = unasked(r.verdict, claudeName, r.name, r.reason)
	r.top.text("decision", "block")
	r.top.text("reason", r.reason)
}

// permission answers PreToolUse and PreModelSwitch. Only PreToolUse can defer,
// and the input that goes with a defer is ignored: such a call asks.
func (r *claudeReply) permission() {
	rewrites := r.name == hook.PreToolUse && !r.dec.Input.Absent()
	if r.verdict == hook.Defer && (rewrites || r.name != hook.PreToolUse) {
		r.verdict = hook.Ask
	}
	if r.verdict == hook.Defer {
		r.notices = append(r.notices, "a hook defers the call; claude does that only in a run without a user (-p), with one call at a time")
	}
	if r.verdict != hook.None {
		r.specific.text("permissionDecision", r.verdict.String())
		r.specific.text("permissionDecisionReason", r.reason)
	}
	if rewrites && r.verdict != hook.Deny {
		r.specific.raw("updatedInput", r.dec.Input.Raw())
	}
}

// behavior answers a permission dialog. Silence lets the dialog ask; it would
// show, and run, the old input, so a new one goes with an allow or not at all.
func (r *claudeReply) behavior() {
	var decision fields
	rewrites := !r.dec.Input.Absent()
	switch {
	case r.verdict == hook.Allow:
		decision.text("behavior", "allow")
		if rewrites {
			decision.raw("updatedInput", r.dec.Input.Raw())
		}
		r.member(&decision, "updatedPermissions")
	case r.verdict == hook.Deny || rewrites:
		if r.verdict != hook.Deny {
			r.reason = untaken(claudeName, r.name, r.reason)
		}
		decision.text("behavior", "deny")
		decision.text("message", r.reason)
		if r.dec.Halted {
			decision.flag("interrupt", true)
		} else {
			r.member(&decision, "interrupt")
		}
	case r.verdict >= hook.Ask:
		r.notices = append(r.notices, hook.Printable(r.reason))
	}
	r.specific.object("decision", decision)
}

// action answers the form of an MCP server. Silence lets the form ask, but on
// ElicitationResult the user has answered already.
func (r *claudeReply) action() {
	switch {
	case r.verdict == hook.Deny || r.verdict >= hook.Ask && r.name == hook.ElicitationResult:
		r.block()
		r.specific.text("action", "decline")
	case r.verdict >= hook.Ask:
		r.notices = append(r.notices, hook.Printable(r.reason))
	default:
		r.member(&r.specific, "action")
		r.member(&r.specific, "content")
	}
}

// add says all that is not the verdict.
func (r *claudeReply) add() {
	switch text := strings.Join(r.dec.Context, "\n"); {
	case text == "":
	case r.row.says == saysContext:
		r.specific.text("additionalContext", text)
	case r.name == hook.DirectoryAdded: // whose message goes to the model
		r.notices = append(r.notices, hook.Printable(text))
	default:
		r.lost("context", text)
	}
	switch {
	case r.dec.Output == nil:
	case r.name == hook.PostToolUse && json.Valid(r.dec.Output):
		r.specific.raw("updatedToolOutput", r.dec.Output)
	default:
		r.lost("output", string(r.dec.Output))
	}
	switch {
	case r.dec.Retry && r.name == hook.PermissionDenied:
		r.specific.flag("retry", true)
	case r.dec.Retry:
		r.lost("retry", "")
	}
	if info, _ := hook.Lookup(r.name); !info.Has(hook.CanContinue) && r.dec.ContinueReason != "" {
		r.lost("continue reason", r.dec.ContinueReason)
	}
	if r.row.says != saysNothing {
		for _, m := range r.dec.Specific {
			r.member(&r.specific, m.Name)
		}
	}
	if r.dec.Bypassed {
		r.notices = append(r.notices, "a hook asks, but permissions are bypassed: the call may run without a question")
	}
}

// member copies a field that only this event has.
func (r *claudeReply) member(to *fields, name string) {
	info, _ := hook.Lookup(r.name)
	for _, m := range r.dec.Specific {
		if m.Name == name && slices.Contains(info.Specific, name) {
			to.raw(name, m.Raw)
			return
		}
	}
}

func (r *claudeReply) lost(what, text string) {
	r.notices = append(r.notices, lost(claudeName, r.name, what, text))
}

// finish puts the reply together.
func (r *claudeReply) finish() Reply {
	notices := strings.Join(r.notices, "\n")
	if r.row.stop == byExitAlone {
		return r.plain(notices)
	}
	var all fields
	if r.dec.Halted {
		all.flag("continue", false)
		all.text("stopReason", stopReason(r.dec))
	}
	all.join(r.top)
	if !r.specific.empty() {
		var named fields
		named.text("hookEventName", string(r.name))
		named.join(r.specific)
		all.object("hookSpecificOutput", named)
	}
	all.text("systemMessage", notices)
	if r.dec.Quiet {
		all.flag("suppressOutput", true)
	}
	r.out.Stdout = all.line()
	return r.out
}

// plain is the reply to an event whose stdout is not read as JSON: the path
// of the new worktree, or nothing.
func (r *claudeReply) plain(notices string) Reply {
	r.out.Stderr = append(r.out.Stderr, stderr(notices)...)
	if r.name != hook.WorktreeCreate || r.out.Code != 0 {
		return r.out
	}
	path, err := worktreePath(r.dec.Specific)
	switch {
	case err != nil:
		r.out.Code, r.out.Stderr = 2, append(r.out.Stderr, stderr(err.Error())...)
	case path == "":
		r.out.Stderr = append(r.out.Stderr, stderr("no hook gave a worktreePath: claude makes no worktree, since git is not asked where a hook is")...)
	default:
		r.out.Stdout = []byte(path + "\n")
	}
	return r.out
}

// worktreePath returns the path that a hook gave, if it can be read from one
// line.
func worktreePath(specific []hook.Member) (path string, err error) {
	for _, m := range specific {
		if m.Name != "worktreePath" {
			continue
		}
		if json.Unmarshal(m.Raw, &path) != nil || path != strings.TrimSpace(hook.Printable(path)) || strings.ContainsAny(path, "\n\t") {
			return "", fmt.Errorf("worktreePath %s is no path on one line", m.Raw)
		}
	}
	return path, nil
}
