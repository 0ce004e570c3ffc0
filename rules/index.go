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
	wrappers []string // programs that may run others, by the settings
	subjects map[string]*bucket
	rest     *bucket // entries for any subject; nil if there are none
}

// bucket holds the entries of one subject, by what else they need.
type bucket struct {
	always []int32
	heads  map[string][]int32
	paths  map[string][]pathEntry
	hosts  map[string][]int32
	texts  map[string]*textIndex // by field
	access hook.Access           // that some entry of paths asks about
}

type pathEntry struct {
	entry  int32
	access hook.Access
}

// NewIndex makes the index of entries 0, 1, … from the keys of each. wrappers
// are those that the analyzer of the events knows besides its own.
func NewIndex(entries [][]Key, wrappers []Wrapper) *Index {
	x := &Index{subjects: make(map[string]*bucket)}
	for _, w := range wrappers {
		head, _, _ := strings.Cut(w.Name, " ")
		x.wrappers = append(x.wrappers, head)
	}
	for i, keys := range entries {
		for _, k := range keys {
			x.bucket(k.Subject).add(int32(i), k)
		}
	}
	if x.rest != nil {
		x.rest.finish()
	}
	for _, b := range x.subjects {
		b.finish()
	}
	return x
}

func (x *Index) bucket(subject string) *bucket {
	if subject == "" {
		if x.rest == nil {
			x.rest = &bucket{}
		}
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
		b.access |= k.Access
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

// buckets returns the up to four buckets of an event; nil ones are empty.
func (x *Index) buckets(subject, hostTool string) (found [4]*bucket) {
	found[3] = x.rest
	if len(x.subjects) == 0 {
		return found
	}
	found[0] = x.subjects[subject]
	if hostTool != subject {
		found[1] = x.subjects[hostTool]
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
	for _, b := range x.buckets(f.Event.MatchSubject(), f.Event.HostTool) {
		if b != nil {
			found = b.find(&p, found)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Idle reports that no entry can fit any event with the subject and the input
// of ev, as far as that can be told without an allocation. subject is what
// ev.MatchSubject returns.
func (x *Index) Idle(ev *hook.Event, subject string) bool {
	for _, b := range x.buckets(subject, ev.HostTool) {
		if b != nil && !b.idle(ev, x.wrappers) {
			return false
		}
	}
	return true
}

func (b *bucket) idle(ev *hook.Event, wrappers []string) bool {
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
	head, plain := "", true
	if ev.Tool == "Bash" || ev.Tool == "PowerShell" {
		head, plain = shell.PlainHead(ev.Input.Text("command"))
		plain = plain && ev.Tool == "Bash" && !slices.Contains(wrappers, head)
	}
	if len(b.heads) > 0 && (!plain || b.heads[head] != nil) {
		return false
	}
	return b.access == 0 || plain && b.access&mayAccess(ev, head) == 0
}

// mayAccess is what an event may do to files, as far as that can be told
// without looking closer; head is the program of a plain command.
func mayAccess(ev *hook.Event, head string) hook.Access {
	switch {
	case head != "" && textCommands()[head]:
		return 0
	case head != "":
		row, ok := fileCommands()[head]
		if !ok || row.out != "" || row.writes != "" || (row.all|row.last)&hook.Writes != 0 {
			return rw
		}
		return rd
	case slices.Contains(readTools, ev.Tool):
		return rd
	case slices.Contains(editTools, ev.Tool):
		return wr
	}
	for _, field := range pathFields {
		if _, ok := ev.Input.Get(field); ok {
			return rw
		}
	}
	for _, field := range patchFields {
		if strings.Contains(ev.Input.Text(field), "*** ") {
			return rw
		}
	}
	return 0
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
