package hook

// Verdict is one value of the lattice None < Allow < Ask < Defer < Deny.
// Merging takes the maximum, so adding a hook never lowers a decision.
type Verdict uint8

const (
	None  Verdict = iota // no opinion
	Allow                // goes ahead without asking
	Ask                  // a person decides
	Defer                // the host postpones the call; a host that cannot, asks
	Deny                 // does not happen
)

var verdictWords = [...]string{"none", "allow", "ask", "defer", "deny"}

// String returns the lower-case word of v: none, allow, ask, defer or deny.
func (v Verdict) String() string {
	if int(v) < len(verdictWords) {
		return verdictWords[v]
	}
	return "invalid"
}

// MarshalText writes the word of v.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// ParseVerdict reads one of the five words exactly.
func ParseVerdict(word string) (Verdict, bool) {
	for i, w := range verdictWords {
		if w == word {
			return Verdict(i), true
		}
	}
	return None, false
}

// Tri is the answer of a matcher. Unknown means that the text alone cannot
// tell; it never loosens: guards fire on it and grants do not.
type Tri uint8

const (
	No Tri = iota
	Unknown
	Yes
)

// String returns no, unknown or yes.
func (t Tri) String() string { return [...]string{"no", "unknown", "yes"}[min(t, Yes)] }

// And is the weaker of both: No if either is No.
func (t Tri) And(o Tri) Tri { return min(t, o) }

// Or is the stronger of both: Yes if either is Yes.
func (t Tri) Or(o Tri) Tri { return max(t, o) }

// Not turns Yes and No around; the negation of Unknown is Unknown.
func (t Tri) Not() Tri { return Yes - t }

// TriOf is Yes for true and No for false.
func TriOf(b bool) Tri {
	if b {
		return Yes
	}
	return No
}
