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
	starts map[string][]int32     // by all of their literal words
	heads  map[string][]int32     // the same by the first word
	words  uint64                 // bit n: some of starts has n words
	begins prefixes[int32]        // by the beginning of the first word
	filter uint64                 // bits of nameBit of paths
	paths  map[string][]pathEntry // by a segment
	names  prefixes[pathEntry]    // by the beginning of a segment
	hosts  map[string][]int32
	texts  []fieldIndex
	access hook.Access // that some entry of paths asks about
}

// fieldIndex holds the literals that some field has to contain.
type fieldIndex struct {
	field string
	textIndex
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
	case KeyStart:
		head, _, _ := strings.Cut(k.Text, " ")
		b.starts, b.heads = put(b.starts, k.Text, entry), put(b.heads, head, entry)
		b.words |= 1 << min(1+strings.Count(k.Text, " "), 63)
	case KeyHead:
		b.begins.add(k.Text, entry)
	case KeyPath:
		b.paths = put(b.paths, k.Text, pathEntry{entry, k.Access})
		b.filter |= nameBit(k.Text)
		b.access |= k.Access
	case KeyName:
		b.names.add(k.Text, pathEntry{entry, k.Access})
		b.access |= k.Access
	case KeyHost:
		b.hosts = put(b.hosts, k.Text, entry)
	case KeyText:
		at := slices.IndexFunc(b.texts, func(t fieldIndex) bool { return t.field == k.Field })
		if at < 0 {
			at, b.texts = len(b.texts), append(b.texts, fieldIndex{field: k.Field})
		}
		b.texts[at].add(k.Text, entry)
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
	for i := range b.texts {
		b.texts[i].finish()
	}
}

// buckets appends to room each bucket that an event may have entries in.
func (x *Index) buckets(subject, hostTool string, room []*bucket) []*bucket {
	if x.rest != nil {
		room = append(room, x.rest)
	}
	if len(x.subjects) == 0 {
		return room
	}
	room = x.named(subject, room)
	if hostTool != subject {
		room = x.named(hostTool, room)
	}
	if !strings.HasPrefix(subject, mcpPrefix) {
		return room
	}
	room = x.named(MCPTools, room)
	for i := len(mcpPrefix); i < len(subject); i++ {
		if strings.HasPrefix(subject[i:], "__") {
			room = x.named(subject[:i], room)
		}
	}
	return room
}

func (x *Index) named(subject string, room []*bucket) []*bucket {
	if b := x.subjects[subject]; b != nil {
		room = append(room, b)
	}
	return room
}

// Find appends the entries that may fit f to found, each once, in ascending
// order.
func (x *Index) Find(f *hook.Facts, found []int32) []int32 {
	var room [4]*bucket
	for _, b := range x.buckets(f.Subject(), f.Event.HostTool, room[:0]) {
		found = b.find(f, found)
	}
	if len(found) < 2 {
		return found
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// starting reports whether some entry's literal words are the first ones of
// text, and gives those entries to yield if that is not nil.
func (b *bucket) starting(text string, yield func([]int32)) bool {
	hit := false
	for i, words := 0, 0; i <= len(text) && b.words>>(words+1) != 0; i++ {
		if i < len(text) && text[i] != ' ' {
			continue
		}
		if words = min(words+1, 62); words < 62 && b.words&(1<<words) == 0 {
			continue
		}
		entries := b.starts[text[:i]]
		if hit = hit || entries != nil; entries != nil && yield != nil {
			yield(entries)
		}
	}
	return hit
}

func (b *bucket) find(f *hook.Facts, found []int32) []int32 {
	found = append(found, b.always...)
	if len(b.starts)+len(b.begins.entries) > 0 {
		found = b.findStarts(f, found)
	}
	if b.access != 0 {
		found = b.findPaths(f, found)
	}
	if len(b.hosts) > 0 {
		found = b.findHosts(f, found)
	}
	for i := range b.texts {
		t := &b.texts[i]
		text := ""
		if t.field == "host" {
			text = f.Host()
		} else {
			text = textOf(&f.Event, t.field)
		}
		found = t.find(text, found)
	}
	return found
}

func (b *bucket) findStarts(f *hook.Facts, found []int32) []int32 {
	add := func(entries []int32) { found = append(found, entries...) }
	all := shell.Starts(f.Commands(),
		func(text string) { b.starting(text, add); b.begins.find(text, add) },
		func(head string) { add(b.heads[head]); b.begins.find(head, add) })
	if all {
		for _, m := range [...]map[string][]int32{b.heads, b.begins.entries} {
			for _, entries := range m {
				add(entries)
			}
		}
	}
	return found
}

func (b *bucket) findPaths(f *hook.Facts, found []int32) []int32 {
	paths := f.Paths()
	for i := range paths {
		file := &paths[i]
		if file.Clean == "" || file.Tree && file.Access&hook.Writes != 0 {
			for _, m := range [...]map[string][]pathEntry{b.paths, b.names.entries} {
				for _, entries := range m {
					found = appendAccess(found, entries, file.Access)
				}
			}
			continue
		}
		for rest := file.Clean; ; rest = file.Real {
			for more := rest; more != ""; {
				var segment string
				segment, more, _ = strings.Cut(more, "/")
				found = b.asking(segment, file.Access, found)
			}
			if rest == file.Real || file.Real == "" {
				break
			}
		}
	}
	return found
}

// asking appends the entries that ask about a segment of a path.
func (b *bucket) asking(segment string, access hook.Access, found []int32) []int32 {
	some := b.filter&nameBit(segment) != 0
	if !some && len(b.names.entries) == 0 {
		return found
	}
	segment = strings.ToLower(segment)
	if some {
		found = appendAccess(found, b.paths[segment], access)
	}
	if len(b.names.entries) > 0 {
		b.names.find(segment, func(entries []pathEntry) { found = appendAccess(found, entries, access) })
	}
	return found
}

// nameBit is one bit that tells most segments apart, in whatever case; all of
// them for a segment whose case is not that of ASCII.
func nameBit(segment string) uint64 {
	for i := range len(segment) {
		if segment[i] >= 0x80 {
			return ^uint64(0)
		}
	}
	if segment == "" {
		return 1
	}
	return 1 << ((uint(len(segment))*7 + uint(segment[0]|0x20)) % 64)
}

func appendAccess(found []int32, entries []pathEntry, access hook.Access) []int32 {
	for _, e := range entries {
		if e.access&access != 0 {
			found = append(found, e.entry)
		}
	}
	return found
}

func (b *bucket) findHosts(f *hook.Facts, found []int32) []int32 {
	host := f.Host()
	if oddHost(host) {
		if v, _ := f.Event.Input.Get("url"); v == nil {
			return found
		}
		for _, entries := range b.hosts {
			found = append(found, entries...)
		}
		return found
	}
	b.hosting(host, func(entries []int32) { found = append(found, entries...) })
	return found
}

// hosting gives yield the entries for each tail of a host's labels.
func (b *bucket) hosting(host string, yield func([]int32)) {
	for {
		if entries := b.hosts[host]; entries != nil {
			yield(entries)
		}
		at := strings.IndexByte(host, '.')
		if at < 0 {
			return
		}
		host = host[at+1:]
	}
}

func (b *bucket) hosted(host string) bool {
	hit := false
	b.hosting(host, func([]int32) { hit = true })
	return hit
}
