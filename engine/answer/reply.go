package answer

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	maxReply   = 64 << 10 // bytes of a reply
	replyDepth = 16       // levels of an object in it; each opening may be one, so this bounds the time
)

// Asked is what a model was asked.
type Asked struct {
	Event hook.EventName
	// Data is the event as the model was shown it.
	Data []byte
	// MayAllow: an approval is an Allow. Else it is silence.
	MayAllow bool
}

// DecodeReply reads what a model answered:
//
//	{"decision": "approve" | "block" | "ask", "reason": "…"}            seed 2
//	{"ok": true | false, "reason": "…", "impossible": true | absent}    Claude Code
//
// and "additionalContext" beside either. Text around the one object costs it
// all that loosens: an Allow, and impossible, which on Stop takes a block back.
// Of several objects one that blocks or asks counts, and none that approves.
// An approval that stands in other text and is also in the event is a
// quotation.
//
// The error is a *hook.NoVerdict of CauseAnswer: there is no answer in text.
func DecodeReply(q Asked, text string) (hook.Result, error) {
	text = strings.TrimSpace(strings.TrimPrefix(strings.ToValidUTF8(text, "\ufffd"), byteOrderMark))
	if len(text) > maxReply {
		return hook.Result{}, hook.Fail(hook.CauseAnswer, "the model's reply has %d bytes, the limit is %d", len(text), maxReply)
	}
	objects, bad := replyObjects([]byte(text))
	if info, _ := hook.Lookup(q.Event); bad != nil && info.Deciding() {
		return ambiguous(bad), nil
	}
	best, approvals := answerIn{}, 0
	for _, o := range objects {
		a := readAnswer(o)
		if a.verdict == hook.Allow {
			approvals++
		}
		if a.verdict > best.verdict {
			best = a
		}
	}
	around := textAround(text, best.object)
	switch {
	case best.verdict == hook.None:
		return hook.Result{}, hook.Fail(hook.CauseAnswer, "the model gave no answer that can be read: %.200q (expected one JSON object with decision or ok)", text)
	case best.verdict == hook.Allow && approvals > 1:
		return hook.Result{}, hook.Fail(hook.CauseAnswer, "the model gave %d answers, and it cannot be told which counts", approvals)
	case best.verdict == hook.Allow && around == prose && quotes(q.Data, best.object.Raw()):
		return hook.Result{}, hook.Fail(hook.CauseAnswer, "the model quotes an approval from the event, and says nothing else that can be read")
	}
	return best.result(q, around), nil
}

// answerIn is what one object of a reply says.
type answerIn struct {
	object  hook.Object
	verdict hook.Verdict // Allow is an approval; None is no answer
	inexact string       // a word that was guessed at
}

// readAnswer reads decision and ok. The stricter of the two counts.
func readAnswer(o hook.Object) (a answerIn) {
	a.object = o
	word, _ := o.Get("decision")
	ok, _ := o.Get("ok")
	for _, v := range []any{word, ok} {
		said := hook.None
		switch v := v.(type) {
		case bool:
			if said = hook.Deny; v {
				said = hook.Allow
			}
		case string:
			var exact bool
			if said, exact = meaning(v, []string{"approve", "allow", "block", "deny", "ask"}); !exact && said > hook.None {
				a.inexact = v
			}
			if !exact && said == hook.Allow {
				said = hook.None // what loosens counts as it is spelt
			}
		}
		a.verdict = max(a.verdict, said)
	}
	return a
}

// result is the answer with what stood around it.
func (a answerIn) result(q Asked, around surrounding) hook.Result {
	info, _ := hook.Lookup(q.Event)
	res := hook.Result{Verdict: a.verdict, Reason: strings.TrimSpace(a.object.Text("reason"))}
	note := func(format string, args ...any) {
		res.Diagnostics = append(res.Diagnostics, hook.Diagnostic{Severity: hook.Warning, Message: fmt.Sprintf(format, args...)})
	}
	if text := strings.TrimSpace(a.object.Text("additionalContext")); text != "" && around == nothing && info.Has(hook.CanContext) {
		res.Context = []string{text}
	}
	if a.inexact != "" {
		note("the model's answer %.40q counts as %s", a.inexact, a.verdict)
	}
	if a.verdict == hook.Allow {
		if res.Verdict = hook.None; q.MayAllow && info.Has(hook.CanAnswer) {
			if res.Verdict = hook.Allow; around != nothing {
				res.Verdict = hook.None
				note("the approval has no effect: other text stands around it")
			}
		}
		if res.Verdict == hook.None {
			res.Reason = ""
		}
		return res
	}
	if impossible, _ := a.object.Get("impossible"); impossible == true && (q.Event == hook.Stop || q.Event == hook.SubagentStop) {
		if around == nothing {
			return hook.Result{Notices: []string{"a hook wanted more, which cannot be done: " + cmp.Or(res.Reason, "it gave no reason")}}
		}
		note("impossible has no effect: other text stands around the answer")
	}
	res.Reason = cmp.Or(res.Reason, "a model that was asked gave no reason")
	return res
}

// surrounding is what stands around the object in a reply.
type surrounding uint8

const (
	nothing surrounding = iota
	fence               // of Markdown, and nothing else
	prose
)

func textAround(text string, o hook.Object) surrounding {
	if text == string(o.Raw()) {
		return nothing
	}
	inner, closed := strings.CutSuffix(text, "```")
	opening, inner, _ := strings.Cut(inner, "\n") // ```json
	if closed && strings.HasPrefix(opening, "```") && strings.TrimSpace(inner) == string(o.Raw()) {
		return fence
	}
	return prose
}

// quotes reports whether the text raw is in the JSON data, as it is or in a
// string.
func quotes(data, raw []byte) bool {
	escaped := quote(nil, string(raw))
	return bytes.Contains(data, raw) || bytes.Contains(data, escaped[1:len(escaped)-1])
}

// replyObjects returns the outermost JSON objects in text, which is mostly one.
// An ambiguous one is an error.
func replyObjects(text []byte) (objects []hook.Object, bad *SyntaxError) {
	for i := 0; ; {
		next := bytes.IndexByte(text[i:], '{')
		if next < 0 {
			return objects, bad
		}
		i += next
		o, err := parseAt(text[i:], 0, MaxDepth-replyDepth, replyNames)
		if err == nil {
			objects = append(objects, o)
			i += len(o.Raw())
			continue
		}
		if e, _ := errors.AsType[*SyntaxError](err); e.Ambiguous && bad == nil {
			bad = e
		}
		i++
	}
}
