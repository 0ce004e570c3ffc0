package cli

import (
	"slices"
	"testing"
	"time"
)

func TestParseFlags(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		rest  []string
		err   string
		on    bool
		text  string
		list  []string
		limit time.Duration
	}{
		{args: nil},
		{args: []string{"a", "--on", "b"}, rest: []string{"a", "b"}, on: true},
		{args: []string{"--text", "x", "--text=y=z"}, text: "y=z"},
		{args: []string{"--file", "a", "q", "--file=b"}, list: []string{"a", "b"}, rest: []string{"q"}},
		{args: []string{"--", "--on", "--"}, rest: []string{"--on", "--"}},
		{args: []string{"-"}, rest: []string{"-"}},
		{args: []string{"--text", "--on"}, text: "--on"}, // a value is taken as it stands
		{args: []string{"--limit", "1500ms"}, limit: 1500 * time.Millisecond},
		{args: []string{"--limit", "5"}, err: `--limit: expected a time such as 50s or 1500ms, got "5"`},
		{args: []string{"--limit=-1s"}, err: `--limit: expected a time such as 50s or 1500ms, got "-1s"`},
		{args: []string{"--on=true"}, err: "--on takes no value"},
		{args: []string{"--text"}, err: "--text needs a value: --text TEXT"},
		{args: []string{"--tetx=1"}, err: `unknown flag --tetx (did you mean "--text"?)`},
		{args: []string{"-on"}, err: `unknown flag -on (did you mean "--on"?)`},
		{args: []string{"-rf"}, err: `unknown flag -rf (put "--" before an argument that starts with "-")`},
		{args: []string{"--file="}, err: "--file: empty"},
		{args: []string{"x", "-h"}, err: errHelp.Error()},
	} {
		var on bool
		var text string
		var list []string
		var limit time.Duration
		flags := []Flag{
			Switch(&on, "on", ""), Text(&text, "text", "TEXT", ""),
			List(&list, "file", "FILE", ""), Duration(&limit, "limit", ""),
		}
		rest, err := parseFlags(flags, tt.args)
		if msg := errorText(err); msg != tt.err {
			t.Errorf("%q: error %q, want %q", tt.args, msg, tt.err)
			continue
		}
		if tt.err == "" && (!slices.Equal(rest, tt.rest) || on != tt.on || text != tt.text || !slices.Equal(list, tt.list) || limit != tt.limit) {
			t.Errorf("%q: rest %q, on %v, text %q, list %q, limit %v", tt.args, rest, on, text, list, limit)
		}
	}
}

// A name of one letter takes one dash.
func TestShortFlag(t *testing.T) {
	var n string
	flags := []Flag{Text(&n, "n", "N", "")}
	if rest, err := parseFlags(flags, []string{"-n", "1", "x", "-n=2"}); err != nil || n != "2" || len(rest) != 1 {
		t.Errorf("%q, rest %q, %v", n, rest, err)
	}
	if _, err := parseFlags(flags, []string{"--n", "1"}); errorText(err) != `unknown flag --n (did you mean "-n"?)` {
		t.Error(err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
