package command

import (
	"bufio"
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

// Whatever the text, looking for scripts ends.
func FuzzWords(f *testing.F) {
	for _, text := range []string{
		`a "b $c" 'd' \e; f | g && (h) $(i) ${j:-k} <<E` + "\nx\nE\n", "case x in a|b) c;; *) d;; esac", "`", "$(", "${", "$((1))", "[[ a < b ]]",
		"<<", "<<'", "a=(b", "f() { g; }", "# it's", "~", "<(a) >(b)", "x=[y]", "$", "\\", "{a,b}",
	} {
		f.Add(text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		a := &action{text: text}
		a.search("no such name", dir, []string{"A=b"})
	})
}

// INPUT_JSON is the event with the members of its input beside its own.
func TestFlat(t *testing.T) {
	input, err := answer.Parse([]byte("{\"command\":\"ls\",\"cwd\":1,\"source\":2,\"prompt\":3,\"mine\":4,\"more\":{\n\"a\":1}}"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := answer.Parse([]byte(`{"mine":5,"tool_input":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		ev   hook.Event
		want []string // beside the members of the event
	}{
		{hook.Event{Name: hook.PreToolUse, Tool: "Bash", Input: input, More: more}, []string{"command", "more", "prompt", "source"}},
		{hook.Event{Name: hook.UserPromptSubmit, Prompt: "p", Input: input, More: more}, []string{"command", "more", "source"}},
		{hook.Event{Name: hook.SessionStart, Subject: "clear", Input: input, More: more}, []string{"command", "more", "prompt"}},
		{hook.Event{Name: hook.Stop}, nil},
	} {
		ev, text := hook.Call{Facts: &hook.Facts{Event: tt.ev}, Matched: hook.Match{Tri: hook.Yes}}.Message()
		m := message{ev, text}
		var b bytes.Buffer
		if err := m.flat(bufio.NewWriter(&b)); err != nil || bytes.ContainsAny(b.Bytes(), "\n") {
			t.Fatalf("%s: %v", b.Bytes(), err)
		}
		whole, err := answer.Parse(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		line, err := answer.Parse(m.line)
		if err != nil {
			t.Fatal(err)
		}
		beside := maps.Clone(whole.View())
		for name := range line.View() {
			delete(beside, name)
		}
		if got := slices.Sorted(maps.Keys(beside)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: beside are %q, want %q", tt.ev.Name, got, tt.want)
		}
	}
}
