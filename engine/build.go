package engine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/engine/settings"
	"github.com/pawl-dev/pawl/lua"
	"github.com/pawl-dev/pawl/rules"
)

const (
	pureTimeout = 250 * time.Millisecond // permission, expr, lua
	actTimeout  = 10 * time.Second       // everything that leaves the process (seed 1)
)

// builder makes one snapshot.
type builder struct {
	cfg        *config
	snap       *snapshot
	set        settings.Set
	deps       hook.Deps
	shut       []hook.Setting // for hooks that may not execute
	failClosed bool
	permission []*rule
	links      rules.Links
	lua        *lua.Runtime
	sources    map[string]hook.Source // of each file that a diagnostic may name
	view       view
	reading    hook.Source // of the settings file at hand

	mu    sync.Mutex // of texts, which Lua files are read into concurrently
	texts map[string]accepted
	made  atomic.Bool // the set is: texts change no more
}

// build makes a complete snapshot of set, which was read by v. It always
// succeeds: what is broken becomes a stub that blocks, and a diagnostic.
func build(cfg *config, set settings.Set, v view) *snapshot {
	trusted := len(cfg.load.Files) > 0 || v.fault == nil && cfg.trust(set.Root)
	b := &builder{cfg: cfg, set: set, view: v, texts: map[string]accepted{}, links: rules.Links{}, sources: map[string]hook.Source{}, deps: hook.Deps{Root: set.Root, Home: cfg.load.Home, Env: cfg.env, Now: cfg.now, State: cfg.state}}
	b.snap = &snapshot{errors: map[string]int{}, sources: set.Sources(), root: set.Root, gates: newGates(set, trusted), trace: cfg.trace}
	b.deps.Models, b.deps.MayRead = cfg.models, b.snap.mayRead
	b.deps.Settings, b.shut = b.typeSettings()
	if v.fault != nil { // nobody knows what the pinned hooks would have said
		d := hook.Diagnostic{Severity: hook.Error, Message: v.fault.Error()}
		b.snap.diags = append(b.snap.diags, d)
		b.block(settings.File{Source: hook.Source{Layer: hook.Builtin, Dir: set.Root}}, "pins", d)
	}
	b.lua = b.scripts()
	b.snap.lua = b.lua
	for _, f := range set.Files {
		b.failClosed = b.failClosed || f.FailClosed
	}
	for _, f := range set.Files {
		b.file(f)
	}
	b.builtin()
	for i, f := range cfg.session {
		b.add(f.spec(i), f.kind(), true)
	}
	b.around()
	b.fold()
	slices.SortStableFunc(b.snap.hooks, func(x, y *bound) int {
		return x.spec.Source.Layer.Rank() - y.spec.Source.Layer.Rank()
	})
	b.index()
	b.judgeSettings()
	b.snap.id, b.snap.texts = b.identify(), b.texts
	b.view = view{} // which knows the set before
	b.made.Store(true)
	b.snap.sources = slices.Compact(slices.Sorted(slices.Values(append(b.snap.sources, b.lua.Sources()...))))
	return b.snap
}

// index finishes the snapshot.
func (b *builder) index() {
	s := b.snap
	wrappers := b.wrappers()
	s.analyzer, s.wrappers = rules.NewAnalyzer(wrappers), wrappers
	s.index()
	slices.SortStableFunc(b.permission, func(x, y *rule) int { return int(y.spec.Verdict) - int(x.spec.Verdict) })
	allow := slices.IndexFunc(b.permission, func(r *rule) bool { return r.spec.Verdict == hook.Allow })
	if allow < 0 {
		allow = len(b.permission)
	}
	s.permissions = b.permission
	s.rules = permissions{newRuleIndex(b.permission[:allow], s.wrappers), newRuleIndex(b.permission[allow:], s.wrappers)}
	s.countsStops = s.mayBlockStop()
	s.leaves = slices.ContainsFunc(s.hooks, func(h *bound) bool { return h.spec.Async && h.gate == "" })
	s.problems = newProblems(s.diags, b.sources)
	for _, d := range s.diags {
		if d.Severity == hook.Error {
			s.errors[d.Pos.File]++
		}
	}
}

// identify names the set by the bytes of its settings and Lua policies. What
// else its hooks run does not count: an engine for one event does not look.
func (b *builder) identify() string {
	h := sha256.New()
	for _, f := range b.set.Files {
		fmt.Fprintf(h, "%s\x00%s\x00", f.Source.File, f.Hash)
	}
	for _, path := range b.lua.Sources() {
		fmt.Fprintf(h, "%s\x00%x\x00", path, sha256.Sum256(b.texts[path].Text))
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// typeSettings are the keys that belong to hook types: open are those of files
// whose hooks may execute, for a server among them is a program that is
// started, and a list of what is allowed gives more than it takes. Hooks that
// may not execute are made with all of them, so that what they say is checked.
func (b *builder) typeSettings() (open, all []hook.Setting) {
	for _, f := range b.set.Files {
		g := b.snap.gates
		g.trusted = g.trusted || f.Trusted
		why := g.close(f.Source, false)
		for _, raw := range f.Raw {
			if raw.Name == wrappersKey {
				continue
			}
			s := hook.Setting{Field: raw, Source: f.Source}
			if all = append(all, s); why == "" {
				open = append(open, s)
				continue
			}
			b.snap.diags = append(b.snap.diags, hook.Diagnostic{Severity: hook.Note, Pos: raw.Pos, Path: raw.Name, Message: "left out: " + why})
		}
	}
	return open, all
}

// judgeSettings has the hook types say what is wrong with the settings that
// belong to them. What no hook uses changes no event, and no decision names it.
func (b *builder) judgeSettings() {
	if b.cfg.lazy {
		return
	}
	judges := map[string]func(hook.Setting, hook.Deps) []hook.Diagnostic{}
	for _, name := range slices.Sorted(maps.Keys(b.cfg.types)) {
		maps.Copy(judges, b.cfg.types[name].Settings)
	}
	for _, s := range b.shut {
		if judge := judges[s.Name]; judge != nil {
			b.snap.diags = append(b.snap.diags, judge(s, b.deps)...)
		} else {
			b.snap.unjudged = append(b.snap.unjudged, s.Name)
		}
	}
}

// file adds all that one settings file says.
func (b *builder) file(f settings.File) {
	b.sources[f.Source.File], b.reading = f.Source, f.Source
	if f.Text != nil {
		b.texts[f.Source.File] = accepted{Stand: hook.Stand{Text: f.Text, Dir: f.Source.Dir}, source: f.Source}
	}
	b.snap.diags = append(b.snap.diags, f.Diagnostics...)
	for _, s := range f.Specs {
		b.add(s, b.typeOf(s), f.Trusted)
	}
	for _, p := range f.Permissions {
		b.rule(p, f.Trusted)
	}
	if f.Broken {
		b.block(f, "file", firstError(f.Diagnostics))
	}
	b.policies(f)
}

// lostType is the type of the stubs of block.
const lostType = "settings"

// block adds a stub on every event that can be blocked, for a loss whose
// reach nobody can tell.
func (b *builder) block(f settings.File, what string, d hook.Diagnostic) {
	for _, name := range hook.EventNames() {
		info, _ := hook.Lookup(hook.EventName(name))
		if !info.Has(hook.CanBlock) {
			continue
		}
		spec := hook.Spec{ID: what, Event: info.Name, Source: f.Source, Pos: d.Pos, Type: lostType, Broken: &d}
		b.add(spec, hook.Type{Pure: true}, f.Trusted)
	}
}

func firstError(diags []hook.Diagnostic) hook.Diagnostic {
	for _, d := range diags {
		if d.Severity == hook.Error {
			return d
		}
	}
	return hook.Diagnostic{Severity: hook.Error, Message: "the file cannot be read"}
}

// add makes one hook of spec. A fault makes it a stub.
func (b *builder) add(spec hook.Spec, kind hook.Type, trusted bool) {
	h := &bound{kind: kind, asked: spec.Timeout, failsByType: spec.OnFailure == hook.FailDefault}
	b.defaults(&spec, kind)
	spec.When = both(spec.When, spec.Within)
	h.spec = spec
	h.timeout = spec.Timeout
	b.patterns(h)
	if h.spec.Broken == nil {
		h.note(contradictions(h))
	}
	if kind.New == nil {
		b.snap.unlinked = append(b.snap.unlinked, spec.Type)
		if h.spec.Broken == nil {
			h.note([]hook.Diagnostic{b.unlinked(spec)})
		}
	}
	if h.spec.Broken == nil {
		deps := b.lend(spec.Source)
		if b.gate(h, trusted); h.gate != "" {
			deps.Settings = b.shut
		}
		action, diags := kind.New(h.spec, deps)
		h.action = action
		if !h.note(diags) {
			b.scriptsOf(h)
		}
	}
	if h.spec.Broken != nil {
		h.action, h.kind.Pure = stub(*h.spec.Broken), true
		h.timeout = pureTimeout
		h.spec.Async, h.when = false, b.within(h)
	}
	if h.spec.Broken == nil && !b.cfg.lazy {
		h.noteLoose()
	}
	b.snap.diags = append(b.snap.diags, h.diags...)
	b.gate(h, trusted)
	b.snap.hooks = append(b.snap.hooks, h)
}

// defaults resolves what spec leaves open.
func (b *builder) defaults(spec *hook.Spec, kind hook.Type) {
	spec.Async = spec.Async || spec.Rewake
	if spec.Timeout == 0 {
		spec.Timeout = actTimeout
		if kind.Pure {
			spec.Timeout = pureTimeout
		}
		spec.Timeout = cmp.Or(kind.Timeout, spec.Timeout)
	}
	if spec.OnFailure == hook.FailDefault {
		spec.OnFailure = hook.FailContinue
		if kind.Pure || kind.Blocks || b.failClosed {
			spec.OnFailure = hook.FailBlock
		}
	}
	spec.Unknown = b.onUnknown(spec.Unknown)
}

func (b *builder) onUnknown(u hook.OnUnknown) hook.OnUnknown {
	if u != hook.UnknownDefault {
		return u
	}
	if b.failClosed {
		return hook.UnknownDeny
	}
	return hook.UnknownAsk
}

// patterns compiles matcher, if and when of h.
func (b *builder) patterns(h *bound) {
	scope := b.scope(h.spec.Source)
	scope.Event, scope.Grant, scope.Path = h.spec.Event, h.spec.Grants(), h.spec.ID
	var diags []hook.Diagnostic
	if h.spec.Matcher.Value != "" {
		scope.Pos = h.spec.Matcher.Pos
		if h.matcher, diags = rules.Matcher(h.spec.Matcher, scope); h.note(diags) {
			h.matcher = nil
		}
	}
	if h.spec.If.Value != "" {
		scope.Pos = h.spec.If.Pos
		if h.cond, diags = rules.If(h.spec.If, scope); h.note(diags) {
			h.cond = nil
		}
	}
	if h.spec.When.Value != "" {
		scope.Pos = h.spec.When.Pos
		if h.matcher != nil {
			scope.Subjects = h.matcher.Subjects()
		}
		if b.cfg.lazy {
			h.when = rules.LazyWhen(h.spec.When, scope)
		} else if h.when, diags = rules.When(h.spec.When, scope); h.note(diags) {
			h.when = nil
		}
	}
}

// both is the condition that a and b hold.
func both(a, b hook.Text) hook.Text {
	switch {
	case a.Value == "":
		return b
	case b.Value != "":
		a.Value = "(" + a.Value + ") and " + b.Value
	}
	return a
}

// within compiles where the stub of a broken entry fires; nil is everywhere.
func (b *builder) within(h *bound) *rules.Condition {
	if h.spec.Within.Value == "" {
		return nil
	}
	scope := b.scope(h.spec.Source)
	scope.Event, scope.Pos, scope.Path = h.spec.Event, h.spec.Within.Pos, h.spec.ID
	when, _ := rules.When(h.spec.Within, scope)
	return when
}

// noteLoose tells of a pattern or condition that the index cannot narrow.
func (h *bound) noteLoose() {
	var t hook.Text
	var field string
	switch {
	case h.matcher != nil && h.matcher.Loose():
		t, field = h.spec.Matcher, ".matcher"
	case h.cond != nil && h.cond.Loose():
		t, field = h.spec.If, ".if"
	case h.when != nil:
		t, field = h.spec.When, ".when"
	default:
		return
	}
	if d, loose := rules.LooseNote(t, h.spec.ID+field, h.keys()); loose {
		h.diags = append(h.diags, d)
	}
}

func (b *builder) scope(src hook.Source) rules.Scope {
	return rules.Scope{Source: src, Root: b.set.Root, Home: b.cfg.load.Home, Env: b.cfg.env, Links: b.links}
}

// note keeps diagnostics of h and reports whether one is an error; the first
// error makes h a stub.
func (h *bound) note(diags []hook.Diagnostic) (broken bool) {
	for _, d := range diags {
		h.diags = append(h.diags, d)
		if d.Severity != hook.Error {
			continue
		}
		broken = true
		if h.spec.Broken == nil {
			h.spec.Broken = &d
		}
	}
	return broken
}

// stub is the action of a broken entry.
func stub(d hook.Diagnostic) hook.Action {
	return fixedFailure{&hook.NoVerdict{Cause: hook.CauseConfig, Err: d}}
}

// gate closes the gates on h.
func (b *builder) gate(h *bound, trusted bool) {
	g := b.snap.gates
	g.trusted = g.trusted || trusted
	h.gate = g.close(h.spec.Source, h.kind.Pure)
	h.tighten = g.tighten(h.spec.Source)
	h.distrusted = h.gate == gateTrust
}

// rule makes one permission rule. A broken deny or ask blocks; a broken allow
// allows nothing, and neither does one that nobody trusts.
func (b *builder) rule(p hook.PermissionRule, trusted bool) {
	g := b.snap.gates
	g.trusted = g.trusted || trusted
	p.Unknown = b.onUnknown(p.Unknown)
	var pattern *rules.Pattern
	if p.Broken == nil {
		scope := b.scope(p.Source)
		scope.Event, scope.Grant, scope.Pos, scope.Path = hook.PreToolUse, p.Verdict == hook.Allow, p.Text.Pos, p.ID
		var diags []hook.Diagnostic
		pattern, diags = rules.Permission(p.Text, scope)
		b.snap.diags = append(b.snap.diags, diags...)
		if i := slices.IndexFunc(diags, func(d hook.Diagnostic) bool { return d.Severity == hook.Error }); i >= 0 {
			pattern, p.Broken = nil, &diags[i]
		}
	}
	if p.Verdict == hook.Allow && g.tighten(p.Source) {
		b.snap.diags = append(b.snap.diags, hook.Diagnostic{Severity: hook.Warning, Pos: p.Text.Pos, Path: p.ID,
			Message: fmt.Sprintf("%s allows nothing: the workspace is not trusted", p.Text.Value), Advice: "pawl trust"})
		return
	}
	if p.Verdict == hook.Allow && pattern == nil {
		return
	}
	r := newRule(p, pattern)
	if pattern != nil && pattern.Loose() && !b.cfg.lazy {
		if d, loose := rules.LooseNote(p.Text, p.ID, r.keys); loose {
			b.snap.diags = append(b.snap.diags, d)
		}
	}
	b.permission = append(b.permission, r)
}

// fold drops hooks whose whole definition stands in an earlier settings layer
// too; copies of plugins and skills stay (ruling 8). It runs after the gates,
// so that a silenced copy does not stand in for one that runs.
func (b *builder) fold() {
	seen := make(map[definition][]*bound, len(b.snap.hooks))
	kept := b.snap.hooks[:0]
	for _, h := range b.snap.hooks {
		if h.spec.Source.Layer > hook.Local || h.gate != "" || h.spec.Broken != nil {
			kept = append(kept, h)
			continue
		}
		key := h.definition()
		i := slices.IndexFunc(seen[key], func(o *bound) bool { return sameFields(o.spec.Fields, h.spec.Fields) })
		if i < 0 {
			seen[key] = append(seen[key], h)
			kept = append(kept, h)
			continue
		}
		b.snap.diags = append(b.snap.diags, hook.Diagnostic{Severity: hook.Note, Pos: h.spec.Pos, Path: h.spec.ID,
			Message: "the same hook as " + seen[key][i].where() + "; it runs once"})
	}
	b.snap.hooks = kept
}

// definition is all of a hook, but for its fields, that makes a difference
// when it runs.
type definition struct {
	event                              hook.EventName
	kind, matcher, cond, when, dir     string
	timeout                            time.Duration
	onFailure                          hook.OnFailure
	unknown                            hook.OnUnknown
	observe, once, async, wake, strict bool
	group                              int
}

func (b *bound) definition() definition {
	s, dir := &b.spec, ""
	if patterns := s.Matcher.Value + s.If.Value + s.When.Value; strings.Contains(patterns, "(/") || strings.Contains(patterns, `"/`) {
		dir = s.Source.Dir // it anchors them
	}
	return definition{s.Event, s.Type, s.Matcher.Value, s.If.Value, s.When.Value, dir, s.Timeout, s.OnFailure, s.Unknown,
		s.Observe, s.Once, s.Async, s.Rewake, b.tighten, s.Group}
}

func sameFields(a, b []hook.Field) bool {
	return slices.EqualFunc(a, b, func(x, y hook.Field) bool { return x.Name == y.Name && reflect.DeepEqual(x.Value, y.Value) })
}
