package answer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/engine/hook"
)

func nest(n int) string {
	return strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1)
}

func TestParse(t *testing.T) {
	tests := []struct{ name, in, raw string }{
		{"B063 carriage return", "{\"a\":1}\r\n", `{"a":1}`},
		{"B063 byte order mark", "\ufeff{\"a\":1}", `{"a":1}`},
		{"B063 blank lines before", "\n \r\n{\"a\":1}", `{"a":1}`},
		{"B063 spaces behind", "{\"a\":1} \t ", `{"a":1}`},
		{"B065 unknown names", `{"zzz":{"x":[1,{"y":null}]}}`, `{"zzz":{"x":[1,{"y":null}]}}`},
		{"B064 case variants of a tool's own keys", `{"tool_input":{"Tool_Name":1,"tool_name":2}}`, ""},
		{"B064 case variants in a result", `{"tool_response":[{"Decision":1,"decision":2}]}`, ""},
		{"B064 names unknown to us", `{"x":1,"X":2}`, ""},
		{"depth 200", nest(MaxDepth), ""},
		{"empty", `{}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, err := Parse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if want := firstOf(tt.raw, tt.in); string(o.Raw()) != want {
				t.Errorf("raw %s, want %s", o.Raw(), want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct {
		name, in, want string
		ambiguous      bool
	}{
		{"nothing", " \n", "2:1: expected a JSON object, got nothing", false},
		{"array", `[{}]`, `1:1: expected a JSON object, it starts with '['`, false},
		{"B063 second value", "{}\r\n{}", "2:1: text after the end of the object", false},
		{"cut", `{"a":"b`, "1:8: the text ends inside the object (cut off?)", false},
		{"NUL", "{\"a\":\x00}", "1:6: NUL byte", false},
		{"raw NUL in a string", "{\"a\":\"\x00\"}", "1:7: NUL byte", false},
		{"line and column", "{\n  \"a\": tru\n}", "2:11: ", false},
		{"comment", "{\n// no\n}", "2:1: ", false},
		{"B082 not UTF-8", "{\"a\":\"\xff\"}", "1:7: byte 0xff is not UTF-8", false},
		{"depth 201", nest(MaxDepth + 1), "1:1000: nested deeper than 200", false},
		{"very deep", strings.Repeat(`{"a":[`, 500_000), "nested deeper than 200", false},
		{"B064 duplicate", `{"a":1,"a":2}`, `1:8: duplicate name "a"`, true},
		{"B064 duplicate, escaped", `{"a":1,"\u0061":2}`, `duplicate name "a"`, true},
		{"B064 duplicate deep in a payload", `{"tool_input":{"x":[{"k":1,"k":1}]}}`, `duplicate name "k"`, true},
		{"B064 event", `{"tool_name":"Read","Tool_Name":"Bash"}`, `1:21: name "Tool_Name" differs from "tool_name" only in case`, true},
		{"B064 variant alone", `{"Tool_Name":"Bash"}`, `"tool_name" only in case`, true},
		{"B064 answer", `{"hookSpecificOutput":{"permissionDecision":"deny","PermissionDecision":"allow"}}`, `differs from "permissionDecision"`, true},
		{"B064 two blocks", `{"hookSpecificOutput":{},"hookSpecificOutput":{}}`, "duplicate name", true},
		{"B064 long s", `{"hook\u017fpecificOutput":{}}`, `1:2: name "hookſpecificOutput" differs from "hookSpecificOutput"`, true},
		{"B064 kelvin", "{\"tool_\u212Ey\":1,\"tool_name\":1,\"Wor\u212atreePath\":1}", `differs from "worktreePath"`, true},
		{"B064 batch", `{"tool_calls":[{"tool_name":"a"},{"TOOL_NAME":"b"}]}`, "only in case", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.in))
			e, ok := errors.AsType[*SyntaxError](err)
			if !ok {
				t.Fatalf("error %v, want a SyntaxError", err)
			}
			if !strings.Contains(e.Error(), tt.want) || e.Ambiguous != tt.ambiguous {
				t.Errorf("error %q (ambiguous %v), want %q (%v)", e, e.Ambiguous, tt.want, tt.ambiguous)
			}
		})
	}
}

func TestParseView(t *testing.T) {
	tests := []struct {
		name, in string
		want     any
	}{
		{"int", `-7`, -7},
		{"whole with fraction", `3.0`, 3},
		{"whole with exponent", `1e3`, 1000},
		{"negative zero", `-0`, 0},
		{"2^53", `9007199254740992`, 1 << 53},
		{"B083 above 2^53", `9007199254740993`, float64(1 << 53)},
		{"fraction", `0.5`, 0.5},
		{"B083 too large", `1e400`, math.MaxFloat64},
		{"B083 too small", `-1e400`, -math.MaxFloat64},
		{"underflow", `1e-400`, 0},
		{"B082 lone surrogate", `"a\ud83d"`, "a\ufffd"},
		{"B082 reversed pair", `"\ude00\ud83d"`, "\ufffd\ufffd"},
		{"B082 pair", `"\ud83d\ude00"`, "😀"},
		{"B081 escapes", `"a\nb\t\"c\" \u2028 é"`, "a\nb\t\"c\" \u2028 é"},
		{"list", `[true,null,"x",{}]`, []any{true, nil, "x", map[string]any{}}},
		{"empty list", `[]`, []any{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, err := Parse([]byte(`{"v" : ` + tt.in + ` }`))
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := o.Get("v"); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("view %#v, want %#v", got, tt.want)
			}
			if got := string(o.RawOf("v")); got != tt.in {
				t.Errorf("raw %s, want %s", got, tt.in)
			}
		})
	}
}

func TestMembersShareTheInput(t *testing.T) {
	data := []byte(` {"a" : 1,"b":{"c":"x"} }`)
	o, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	b, ok := Child(o, "b")
	if !ok || string(b.Raw()) != `{"c":"x"}` || b.Text("c") != "x" {
		t.Fatalf("child %s, view %v", b.Raw(), b.View())
	}
	data[20] = 'y' // the test owns data and may
	for _, raw := range [][]byte{o.RawOf("b"), b.Raw()} {
		if string(raw) != `{"c":"y"}` {
			t.Errorf("%s is a copy", raw)
		}
	}
	if string(b.RawOf("c")) != `"y"` {
		t.Errorf("%s is a copy", b.RawOf("c"))
	}
	for _, name := range []string{"a", "none"} {
		if _, ok := Child(o, name); ok {
			t.Errorf("%s is an object", name)
		}
	}
}

func TestObject(t *testing.T) {
	inner, err := Object("z", 1, "a", "<&>\xff")
	if err != nil {
		t.Fatal(err)
	}
	o, err := Object("list", []any{inner, hook.Object{}}, "Tool_Name", map[string]any{"b": 0.5, "a": nil}, "words", []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"list":[{"z":1,"a":"<&>` + "\ufffd" + `"},null],"Tool_Name":{"a":null,"b":0.5},"words":["x"]}`
	if string(o.Raw()) != want {
		t.Errorf("object %s, want %s", o.Raw(), want)
	}
	if got, _ := o.Get("words"); !reflect.DeepEqual(got, []any{"x"}) {
		t.Errorf("view %#v", got)
	}
}

// An object of texts is what reading its bytes gives.
func TestObjectOfTexts(t *testing.T) {
	text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("\"\\<>&\u2028\x00\n\ufffd"))))
	rapid.Check(t, func(t *rapid.T) {
		var pairs []any
		for _, name := range rapid.SliceOfDistinct(text, rapid.ID[string]).Draw(t, "names") {
			pairs = append(pairs, name, text.Draw(t, "text"))
		}
		got, err := Object(pairs...)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := Payload(got.Raw()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %v\nwant %v, %v", got, want, err)
		}
	})
}

func TestObjectRefuses(t *testing.T) {
	loop := map[string]any{}
	loop["loop"] = loop
	for _, pairs := range [][]any{{"odd"}, {1, 2}, {"a", 1, "a", 2}, {"f", math.NaN()}, {"c", make(chan int)}, {"l", loop}} {
		if o, err := Object(pairs...); err == nil {
			t.Errorf("Object(%v) = %s, want an error", pairs[0], o.Raw())
		}
	}
}

// What is built reads back as what it was built from.
func TestValueReadsBack(t *testing.T) {
	var value *rapid.Generator[any]
	value = rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			return []any{value.Draw(t, "item"), "x"}
		case 1:
			return map[string]any{rapid.String().Draw(t, "name"): value.Draw(t, "value")}
		case 2:
			return rapid.IntRange(-1<<53, 1<<53).Draw(t, "int")
		case 3:
			return rapid.Bool().Draw(t, "bool")
		case 4:
			return nil
		}
		return rapid.String().Draw(t, "text")
	})
	rapid.Check(t, func(t *rapid.T) {
		want := value.Draw(t, "value")
		o, err := Object("v", want)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := o.Get("v"); !reflect.DeepEqual(got, want) {
			t.Fatalf("%#v reads back as %#v", want, got)
		}
	})
}

// Twice the input costs twice the memory: nothing in it is quadratic, and the
// input itself is not copied.
func TestParseIsLinear(t *testing.T) {
	shapes := map[string]func(n int) string{
		"names": func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `"k%d":"v",`, i)
			}
			return "{" + b.String() + `"end":0}`
		},
		"one string":  func(n int) string { return `{"s":"` + strings.Repeat("x", 8*n) + `"}` },
		"backslashes": func(n int) string { return `{"s":"` + strings.Repeat(`\\`, 4*n) + `"}` },
		"openings":    func(n int) string { return strings.Repeat(`{"a":`, n) + "{}" },
		"lists":       func(n int) string { return `{"s":[` + strings.Repeat(`[],`, n) + `0]}` },
	}
	readers := map[string]func([]byte){
		"object": func(data []byte) { _, _ = Parse(data) },
		"noise":  func(data []byte) { _, _ = DecodeBody(hook.PreToolUse, append([]byte("x "), data...)) },
		"broken": func(data []byte) { _, _ = DecodeBody(hook.PreToolUse, append([]byte(`{"a":`), data...)) },
	}
	for name, shape := range shapes {
		for reader, read := range readers {
			t.Run(name+", "+reader, func(t *testing.T) {
				small, large := bytesFor(read, shape(2_000)), bytesFor(read, shape(16_000))
				if ratio := large / small; ratio > 8*1.5 {
					t.Errorf("8 times the input takes %.1f times the memory", ratio)
				}
			})
		}
	}
}

// bytesFor counts the bytes that reading in allocates.
func bytesFor(read func([]byte), in string) float64 {
	data := []byte(in)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read(data)
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{}`, "\ufeff{\"a\":1}\r\n", `{"a":[1,2.5,1e400,"\ud83d",null,true,{"b":{}}]}`, `{"a":1,"a":2}`,
		`{"hook\u017fpecificOutput":{"permissionDecision":"allow"}}`, `{"a":"` + "\xff" + `"}`, `{"\ud83d":1,"\ud83e":2}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := Parse(data)
		if err != nil {
			if e, ok := errors.AsType[*SyntaxError](err); !ok || e.Offset < 0 || e.Offset > len(data) {
				t.Fatalf("error %#v", err)
			}
			return
		}
		var std map[string]json.RawMessage
		if err := json.Unmarshal(o.Raw(), &std); err != nil {
			t.Fatalf("encoding/json: %v", err)
		}
		if len(std) != len(o.Members()) || len(std) != len(o.View()) {
			t.Fatalf("%d members, %d in the view, %d for encoding/json", len(o.Members()), len(o.View()), len(std))
		}
		for _, m := range o.Members() {
			if string(std[m.Name]) != string(m.Raw) {
				t.Fatalf("member %q: %s, encoding/json has %s", m.Name, m.Raw, std[m.Name])
			}
			if inner, ok := Child(o, m.Name); ok && len(inner.Members()) != len(inner.View()) {
				t.Fatalf("child %q: %d members, %d in the view", m.Name, len(inner.Members()), len(inner.View()))
			}
		}
		if _, err := Payload(data); err != nil {
			t.Fatalf("Payload is stricter than Parse: %v", err)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for name, size := range map[string]int{"1KB": 1 << 10, "10MB": 10 << 20} {
		b.Run(name, func(b *testing.B) {
			data := []byte(`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/a","content":"` +
				strings.Repeat(`some text\n`, size/11) + `"},"session_id":"s"}`)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
