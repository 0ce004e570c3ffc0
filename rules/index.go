package rules

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/engine/hook"
	"github.com/pawl-dev/pawl/rules/shell"
)

// Index finds which of many entries may fit an event, by their keys, at a
// cost that does not grow with their number. It is immutable and is only an
// index: what it does not find does not match.
type Index struct {
	subjects map[string]*bucket
	rest     *bucket // entries for any subject
}

// bucket holds the entries of one subject, by what else they need.
type bucket struct {
	always []int32
	heads  map[string][]int32
	paths  map[string][]pathEntry
	hosts  map[string][]int32
	texts  map[string]*textIndex // by field
}

type pathEntry struct {
	entry  int32
	access hook.Access
}

// NewIndex makes the index of entries 0, 1, … from the keys of each.
func NewIndex(entries [][]Key) *Index {
	x := &Index{subjects: make(map[string]*bucket), rest: &bucket{}}
	for i, keys := range entries {
		for _, k := range keys {
			x.bucket(k.Subject).add(int32(i), k)
		}
	}
	x.rest.finish()
	for _, b := range x.subjects {
		b.finish()
	}
	return x
}

func (x *Index) bucket(subject string) *bucket {
	if subject == "" {
		return x.rest
	}
	b := x.subjects[subject]
	if b == nil {
		b = &bucket{}
		x.subjects[subject] = b
	}
	return b
}

func (b *bucket) add(entry int32, k Key) {
	switch k.Kind {
	case KeyAny:
		b.always = append(b.always, entry)
	case KeyHead:
		b.heads = put(b.heads, k.Text, entry)
	case KeyPath:
		b.paths = put(b.paths, k.Text, pathEntry{entry, k.Access})
	case KeyHost:
		b.hosts = put(b.hosts, k.Text, entry)
	case KeyText:
		if b.texts == nil {
			b.texts = make(map[string]*textIndex)
		}
		if b.texts[k.Field] == nil {
			b.texts[k.Field] = &textIndex{}
		}
		b.texts[k.Field].add(k.Text, entry)
	}
}

func put[T any](m map[string][]T, key string, v T) map[string][]T {
	if m == nil {
		m = make(map[string][]T)
	}
	m[key] = append(m[key], v)
	return m
}

func (b *bucket) finish() {
	for _, t := range b.texts {
		t.finish()
	}
}

// buckets returns the up to four buckets of an event.
func (x *Index) buckets(ev *hook.Event) [4]*bucket {
	subject := ev.MatchSubject()
	found := [4]*bucket{x.subjects[subject], nil, nil, x.rest}
	if ev.HostTool != subject {
		found[1] = x.subjects[ev.HostTool]
	}
	if strings.HasPrefix(subject, "mcp__") {
		found[2] = x.subjects[MCPTools]
	}
	return found
}

// Find appends the entries that may fit f to found, each once, in ascending
// order.
func (x *Index) Find(f *hook.Facts, found []int32) []int32 {
	p := probe{facts: f}
	for _, b := range x.buckets(&f.Event) {
		if b != nil {
			found = b.find(&p, found)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Idle reports that no entry can fit any event with the subject and the input
// of ev, as far as that can be told without an allocation.
func (x *Index) Idle(ev *hook.Event) bool {
	for _, b := range x.buckets(ev) {
		if b != nil && !b.idle(ev) {
			return false
		}
	}
	return true
}

func (b *bucket) idle(ev *hook.Event) bool {
	if len(b.always) > 0 || len(b.hosts) > 0 && ev.Input.Text("url") != "" {
		return false
	}
	for field, t := range b.texts {
		if field != "command" && field != "prompt" && !strings.HasPrefix(field, "input.") {
			return false
		}
		if t.anyIn(textOf(ev, field)) {
			return false
		}
	}
	if len(b.heads) == 0 && len(b.paths) == 0 {
		return true
	}
	if ev.Tool != "Bash" {
		return ev.Tool != "PowerShell" && len(b.paths) == 0
	}
	head, ok := shell.PlainHead(ev.Input.Text("command"))
	return ok && b.heads[head] == nil && (len(b.paths) == 0 || b.spares(head))
}

// spares reports that a plain command of this program touches no file in a
// way that some path entry asks about.
func (b *bucket) spares(head string) bool {
	if textCommands[head] {
		return true
	}
	row, ok := fileCommands[head]
	if !ok || row.out != "" || row.writes != "" || (row.all|row.last)&hook.Writes != 0 {
		return false
	}
	for _, entries := range b.paths {
		for _, e := range entries {
			if e.access&hook.Reads != 0 {
				return false
			}
		}
	}
	return true
}

// probe asks an event for what the maps are keyed by, each once.
type probe struct {
	facts    *hook.Facts
	heads    []string
	allHeads bool
	hasHeads bool
}

func (b *bucket) find(p *probe, found []int32) []int32 {
	found = append(found, b.always...)
	if len(b.heads) > 0 {
		found = b.findHeads(p, found)
	}
	if len(b.paths) > 0 {
		found = b.findPaths(p, found)
	}
	if len(b.hosts) > 0 {
		found = b.findHosts(p, found)
	}
	for field, t := range b.texts {
		text := ""
		if field == "host" {
			text = p.facts.Host()
		} else {
			text = textOf(&p.facts.Event, field)
		}
		found = t.find(text, found)
	}
	return found
}

func (b *bucket) findHeads(p *probe, found []int32) []int32 {
	if !p.hasHeads {
		p.heads, p.allHeads = shell.Heads(p.facts.Commands())
		p.hasHeads = true
	}
	if p.allHeads {
		for _, entries := range b.heads {
			found = append(found, entries...)
		}
		return found
	}
	for _, h := range p.heads {
		found = append(found, b.heads[h]...)
	}
	return found
}

func (b *bucket) findPaths(p *probe, found []int32) []int32 {
	paths := p.facts.Paths()
	for i := range paths {
		file := &paths[i]
		if file.Clean == "" {
			for _, entries := range b.paths {
				found = appendAccess(found, entries, file.Access)
			}
			continue
		}
		for rest := file.Clean; ; rest = file.Real {
			for s := range strings.SplitSeq(rest, "/") {
				found = appendAccess(found, b.paths[strings.ToLower(s)], file.Access)
			}
			if rest == file.Real || file.Real == "" {
				break
			}
		}
	}
	return found
}

func appendAccess(found []int32, entries []pathEntry, access hook.Access) []int32 {
	for _, e := range entries {
		if e.access&access != 0 {
			found = append(found, e.entry)
		}
	}
	return found
}

func (b *bucket) findHosts(p *probe, found []int32) []int32 {
	host := p.facts.Host()
	if v, _ := p.facts.Event.Input.Get("url"); v == nil {
		return found
	}
	if oddHost(host) {
		for _, entries := range b.hosts {
			found = append(found, entries...)
		}
		return found
	}
	for {
		found = append(found, b.hosts[host]...)
		at := strings.IndexByte(host, '.')
		if at < 0 {
			return found
		}
		host = host[at+1:]
	}
}
