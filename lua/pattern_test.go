package lua

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/pm"
	"pgregory.net/rapid"
)

// found is the first match of a pattern: bounds and captures.
func found(src, pat string, most int) (got string, err error) {
	steps := 0
	m := &matcher{src: src, pat: pat, tick: func(n int) {
		if steps += n; steps > most {
			panic(patternError{errors.New("stopped")})
		}
	}}
	defer func() {
		if p := recover(); p != nil {
			err = p.(patternError)
		}
	}()
	from, to := m.find(0)
	if from < 0 {
		return "none", nil
	}
	got = fmt.Sprint(from, to)
	for i := range m.level {
		if m.capture[i].length == positionCapture {
			got += fmt.Sprintf(" @%d", m.capture[i].start)
			continue
		}
		got += fmt.Sprintf(" %d-%d", m.capture[i].start, m.capture[i].start+m.capture[i].length)
	}
	return got, nil
}

func TestPatterns(t *testing.T) {
	tests := []struct{ name, src, pat, want string }{
		{"literal", "abc", "b", "1 2"},
		{"anchors", "abc", "^abc$", "0 3"},
		{"anchored miss", "abc", "^b", "none"},
		{"greedy", "aaab", "a*", "0 3"},
		{"lazy", "aaab", "a-b", "0 4"},
		{"optional", "color", "colou?r", "0 5"},
		{"captures", "k = v", "(%w+) = (%w+)", "0 5 0-1 4-5"},
		{"position", "abc", "b()", "1 2 @2"},
		{"back reference", "say 'hi'", "(['\"])(.-)%1", "4 8 4-5 5-7"},
		{"balance", "f(a(b)c)d", "%b()", "1 8"},
		{"set", "x-y]z", "[]-]+", "1 2"},
		{"range", "a5z", "[^a-z]", "1 2"},
		{"class in set", "a_1", "[%w_]+", "0 3"},
		{"dash in set", "a-b", "[a%-b]+", "0 3"},
		{"NUL", "a\x00b", "%z", "1 2"},
		{"dollar inside", "a$b", "a$b", "0 3"},
		{"empty", "abc", "", "0 0"},
		{"B143 frontier", "THE (quick) fox", "%f[%a]%a+", "0 3"},
		{"B143 frontier inside", "THE (quick) fox", "%f[%l]%l+", "5 10"},
		{"B143 frontier at the end", "abc", "%f[%z]", "3 3"},
		{"B143 printable", " a", "%g", "1 2"},
		{"B143 dangling percent", "a", "%", "error: malformed pattern (ends with '%')"},
		{"B143 open set", "a", "[a", "error: malformed pattern (missing ']')"},
		{"open set, percent", "a", "[%", "error: malformed pattern (missing ']')"},
		{"B143 open back reference", "abc", "(abc%1)", "error: invalid capture index"},
		{"B143 unknown class", "a", "%k", "error: malformed pattern (there is no class '%k')"},
		{"unfinished", "a", "(a", "error: unfinished capture"},
		{"unopened", "a", "a)", "error: invalid pattern capture"},
		{"balance without", "a", "%b", "error: missing arguments to '%b'"},
		{"frontier without", "a", "%fa", "error: missing '[' after '%f' in pattern"},
		{"too many", "a", strings.Repeat("()", 40), "error: too many captures"},
		{"B133", strings.Repeat("a", 60), ".-.-.-.-.-b", "error: stopped"},
		{"B134", strings.Repeat("a", 1e6), "a*b", "error: stopped"},
	}
	for _, tt := range tests {
		got, err := found(tt.src, tt.pat, 1e6)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q in %.20q: got %s, want %s", tt.name, tt.pat, tt.src, got, tt.want)
		}
	}
}

// stock is what the machine's own matcher finds.
func stock(src, pat string) (string, error) {
	all, err := pm.Find(pat, []byte(src), 0, 1)
	if err != nil || len(all) == 0 {
		return "none", err
	}
	m := all[0]
	got := fmt.Sprint(m.Capture(0), m.Capture(1))
	for i := 2; i < m.CaptureLength(); i += 2 {
		if m.IsPosCapture(i) {
			got += fmt.Sprintf(" @%d", m.Capture(i)-1)
			continue
		}
		got += fmt.Sprintf(" %d-%d", m.Capture(i), m.Capture(i+1))
	}
	return got, nil
}

// TestPatternsAgree: on harmless patterns both matchers find the same.
func TestPatternsAgree(t *testing.T) {
	item := rapid.SampledFrom([]string{"a", "b", ".", "%a", "%d", "%s", "%W", "[ab]", "[^a]", "[a-c1]", "%.", " "})
	suffix := rapid.SampledFrom([]string{"", "", "", "*", "+", "-", "?"})
	rapid.Check(t, func(t *rapid.T) {
		pat := rapid.SampledFrom([]string{"", "^"}).Draw(t, "head")
		depth := 0
		for range rapid.IntRange(0, 6).Draw(t, "n") {
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				pat += "()"
			case 1:
				pat, depth = pat+"(", depth+1
				pat += item.Draw(t, "item")
			case 2:
				if depth > 0 {
					pat, depth = pat+")", depth-1
				}
			default:
				pat += item.Draw(t, "item") + suffix.Draw(t, "suffix")
			}
		}
		pat += strings.Repeat(")", depth) + rapid.SampledFrom([]string{"", "$"}).Draw(t, "tail")
		src := rapid.StringMatching(`[abc1 .]{0,12}`).Draw(t, "src")
		got, err := found(src, pat, 1e7)
		want, err2 := stock(src, pat)
		if err != nil || err2 != nil || got != want {
			t.Fatalf("%q in %q: got %s, %v, stock %s, %v", pat, src, got, err, want, err2)
		}
	})
}

// FuzzPattern: no pattern panics, and steps bound the time.
func FuzzPattern(f *testing.F) {
	for _, seed := range []string{"", "(a*)%1", "%b()", "[^]-%]", "%f[%w]", ".-.-b", "((()"} {
		f.Add("aabb()", seed)
	}
	f.Fuzz(func(t *testing.T, src, pat string) {
		got, err := found(src, pat, 1e5)
		if err == nil && got == "" {
			t.Fatal("no answer")
		}
	})
}

func TestReplace(t *testing.T) {
	r := New(options("/p"))
	tests := []struct{ expr, want string }{
		{`{("hello world"):gsub("o", "0")}`, `["hell0 w0rld",2]`},
		{`{("hello world"):gsub("o", "0", 1)}`, `["hell0 world",1]`},
		{`{("abc"):gsub("", "-")}`, `["-a-b-c-",4]`},
		{`{("abc"):gsub("%w", "%0%0")}`, `["aabbcc",3]`},
		{`{("k=v"):gsub("(%w)=(%w)", "%2=%1")}`, `["v=k",1]`},
		{`{("abc"):gsub("%w", {a = 1, b = false})}`, `["1bc",3]`},
		{`{("abc"):gsub("%w", function(c) if c == "b" then return "[" .. c:gsub("b", "B") .. "]" end end)}`, `["a[B]c",3]`},
		{`{("aaa"):gsub("^a", "b")}`, `["baa",1]`},
		{`{("abc"):gsub("b*", "x")}`, `["xaxxcx",4]`},
		{`("x"):gsub("x", "%2")`, `invalid capture index: %2 in a replacement text`},
		{`("x"):gsub("x", "%")`, `ends with '%'`},
		{`("x"):gsub("x", function() return {} end)`, `invalid replacement value (a table)`},
		{`(function() local t = {} for k, v in ("a=1, b=2"):gmatch("(%w)=(%w)") do t[#t + 1] = k .. v end return t end)()`, `["a1","b2"]`},
		{`(function() local t = {} for w in ("abc"):gmatch("%w-") do t[#t + 1] = w end return #t end)()`, `4`},
		{`(function() local t = {} for w in ("aab"):gmatch("^a") do t[#t + 1] = w end return t end)()`, `["a"]`},
		{`{("abc"):find("b", 1, true), ("a.c"):find(".", 2, true), ("abc"):find("c", -1), ("abc"):find("a", 9) or "no"}`, `[2,2,3,"no"]`},
		{`{("abc"):find("")}`, `[1,0]`},
		{`{("abc"):match("(b)(c)")}`, `["b","c"]`},
		{`("abc"):match("()c")`, `3`},
		{`("abc"):find("%")`, `malformed pattern (ends with '%')`},
	}
	for _, tt := range tests {
		if got := shows(t, r, tt.expr, call(bash(t, "ls"))); got != tt.want && (strings.HasPrefix(tt.want, "[") || !strings.Contains(got, tt.want)) {
			t.Errorf("%s: got %s, want %s", tt.expr, got, tt.want)
		}
	}
}

// FuzzJSON: what json.decode takes, json.encode gives back.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,null,{}],"b":"\u0000é"}`, `[]`, `9007199254740993`, `-1e300`, `"\ud800"`, `[[`, `1 2`} {
		f.Add(seed)
	}
	s := New(options("/p")).newState("")
	try := func(fn func()) bool {
		defer func() {
			s.L.SetTop(0)
			if p := recover(); p != nil {
				if _, ok := p.(*glua.ApiError); !ok {
					panic(p)
				}
			}
		}()
		done := false
		fn()
		done = true
		return done
	}
	f.Fuzz(func(t *testing.T, text string) {
		s.memory, s.steps = 0, 0
		var first, second []byte
		try(func() {
			first = s.encode(s.L, s.decode(s.L, []byte(text), "d"), "e")
			second = s.encode(s.L, s.decode(s.L, first, "d"), "e")
		})
		if string(first) != string(second) {
			t.Fatalf("%q becomes %q, then %q", text, first, second)
		}
	})
}
