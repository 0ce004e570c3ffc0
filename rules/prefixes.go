package rules

import "math/bits"

// prefixes finds entries by how a text begins.
type prefixes[T any] struct {
	entries map[string][]T
	sizes   uint64 // bit n: some prefix has n bytes
}

// maxPrefix is how much of a prefix is looked at.
const maxPrefix = 63

func (p *prefixes[T]) add(prefix string, entry T) {
	prefix = prefix[:min(len(prefix), maxPrefix)]
	p.entries = put(p.entries, prefix, entry)
	p.sizes |= 1 << len(prefix)
}

// find gives yield the entries of each prefix of text, and reports whether
// there are any. yield may be nil.
func (p *prefixes[T]) find(text string, yield func([]T)) bool {
	hit := false
	for sizes := p.sizes; sizes != 0; sizes &= sizes - 1 {
		n := bits.TrailingZeros64(sizes)
		if n > len(text) {
			break
		}
		if entries := p.entries[text[:n]]; entries != nil {
			if hit = true; yield != nil {
				yield(entries)
			}
		}
	}
	return hit
}
