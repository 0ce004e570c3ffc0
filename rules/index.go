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
	starts map[string][]int32 // by all of their literal words
	heads  map[string][]int32 // the same by the first word
	words  int                // of the longest of starts
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
	case KeyStart:
		head, _, _ := strings.Cut(k.Text, " ")
		b.starts, b.heads = put(b.starts, k.Text, entry), put(b.heads, head, entry)
		b.words = max(b.words, 1+strings.Count(k.Text, " "))
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

// buckets calls yield with each bucket that an event may have entries in,
// until it returns false.
func (x *Index) buckets(subject, hostTool string, yield func(*bucket) bool) {
	if x.rest != nil && !yield(x.rest) || len(x.subjects) == 0 {
		return
	}
	if b := x.subjects[subject]; b != nil && !yield(b) {
		return
	}
	if hostTool != subject {
		if b := x.subjects[hostTool]; b != nil && !yield(b) {
			return
		}
	}
	const mcp = len("mcp__")
	if !strings.HasPrefix(subject, "mcp__") {
		return
	}
	if b := x.subjects[MCPTools]; b != nil && !yield(b) {
		return
	}
	for i := mcp; i < len(subject); i++ {
		if strings.HasPrefix(subject[i:], "__") {
			if b := x.subjects[subject[:i]]; b != nil && !yield(b) {
				return
			}
		}
	}
}

// Find appends the entries that may fit f to found, each once, in ascending
// order.
func (x *Index) Find(f *hook.Facts, found []int32) []int32 {
	x.buckets(f.Event.MatchSubject(), f.Event.HostTool, func(b *bucket) bool {
		found = b.find(f, found)
		return true
	})
	slices.Sort(found)
	return slices.Compact(found)
}

// Idle reports that no entry can fit any event with the subject and the input
// of ev, as far as that can be told without an allocation. subject is what
// ev.MatchSubject returns.
func (x *Index) Idle(ev *hook.Event, subject string) bool {
	idle := true
	x.buckets(subject, ev.HostTool, func(b *bucket) bool {
		idle = b.idle(ev, x.wrappers)
		return idle
	})
	return idle
}

func (b *bucket) idle(ev *hook.Event, wrappers []string) bool {
	if len(b.always) > 0 {
		return false
	}
	if url, _ := ev.Input.Get("url"); len(b.hosts) > 0 && url != nil {
		text, _ := url.(string)
		if host := plainHost(text); host == "" || b.hosted(host) {
			return false
		}
	}
	for field, t := range b.texts {
		if field != "command" && field != "prompt" && !strings.HasPrefix(field, "input.") {
			return false
		}
		if t.anyIn(textOf(ev, field)) {
			return false
		}
	}
	if len(b.heads) == 0 && b.access == 0 {
		return true
	}
	command, exact := "", false
	if ev.Tool == "Bash" || ev.Tool == "PowerShell" {
		if ev.Tool == "Bash" {
			command, exact = shell.Plain(ev.Input.Text("command"))
		}
		head, _, _ := strings.Cut(command, " ")
		if command == "" || slices.Contains(wrappers, head) {
			return false
		}
		if b.heads[head] != nil && !(exact && !b.starting(command, nil)) {
			return false
		}
	}
	return b.access == 0 || b.access&mayAccess(ev, command) == 0
}

// starting reports whether some entry's literal words are the first ones of
// text, and gives those entries to yield if that is not nil.
func (b *bucket) starting(text string, yield func([]int32)) bool {
	hit := false
	for i, words := 0, 0; i <= len(text) && words < b.words; i++ {
		if i < len(text) && text[i] != ' ' {
			continue
		}
		words++
		entries := b.starts[text[:i]]
		if hit = hit || entries != nil; entries != nil && yield != nil {
			yield(entries)
		}
	}
	return hit
}

// mayAccess is what an event may do to files, as far as that can be told
// without looking closer; command is that of a shell tool.
func mayAccess(ev *hook.Event, command string) hook.Access {
	if command != "" {
		return commandAccess(command)
	}
	switch {
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
	if !eachField(ev.Input.View(), 0, func(string, hook.Access) bool { return false }) {
		return rw
	}
	return 0
}

func (b *bucket) find(f *hook.Facts, found []int32) []int32 {
	found = append(found, b.always...)
	if len(b.starts) > 0 {
		found = b.findStarts(f, found)
	}
	if len(b.paths) > 0 {
		found = b.findPaths(f, found)
	}
	if len(b.hosts) > 0 {
		found = b.findHosts(f, found)
	}
	for field, t := range b.texts {
		text := ""
		if field == "host" {
			text = f.Host()
		} else {
			text = textOf(&f.Event, field)
		}
		found = t.find(text, found)
	}
	return found
}

func (b *bucket) findStarts(f *hook.Facts, found []int32) []int32 {
	add := func(entries []int32) { found = append(found, entries...) }
	all := shell.Starts(f.Commands(),
		func(text string) { b.starting(text, add) },
		func(head string) { add(b.heads[head]) })
	if all {
		for _, entries := range b.heads {
			add(entries)
		}
	}
	return found
}

func (b *bucket) findPaths(f *hook.Facts, found []int32) []int32 {
	paths := f.Paths()
	for i := range paths {
		file := &paths[i]
		if file.Clean == "" || file.Tree && file.Access&hook.Writes != 0 {
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

func (b *bucket) findHosts(f *hook.Facts, found []int32) []int32 {
	host := f.Host()
	if v, _ := f.Event.Input.Get("url"); v == nil {
		return found
	}
	if oddHost(host) {
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
