package process_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/engine/process"
)

func TestEnviron(t *testing.T) {
	base := []string{
		"PATH=/bin", "BASH_ENV=/x", "ENV=/x", "BASH_FUNC_ls%%=() { :; }", "SHELLOPTS=xtrace", "BASHOPTS=x",
		"CDPATH=/x", "GLOBIGNORE=*", "PS4=$(x)", "LD_PRELOAD=/x.so", "LD_LIBRARY_PATH=/x", "LD_AUDIT=/x",
		"DYLD_INSERT_LIBRARIES=/x", "PROMPT_COMMAND=x", "=C:=C:\\x", "malformed", "SESSION_ID=old", "INPUT_JSON=old",
		"ENVIRONMENT=prod", "LD=ld", "EMPTY=", "BASH=/bin/bash", "X=a=b",
	}
	got := process.Environ(base, map[string]string{"SESSION_ID": "new", "CWD": ""}, "INPUT_JSON")
	want := []string{"PATH=/bin", "ENVIRONMENT=prod", "LD=ld", "EMPTY=", "BASH=/bin/bash", "X=a=b", "CWD=", "SESSION_ID=new"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEnvironLaws(t *testing.T) {
	name := rapid.StringMatching(`(LD_|BASH_FUNC_|DYLD_)?[A-C]{1,2}`)
	rapid.Check(t, func(t *rapid.T) {
		set := rapid.MapOf(name, rapid.String()).Draw(t, "set")
		base := rapid.SliceOf(rapid.Custom(func(t *rapid.T) string {
			return name.Draw(t, "name") + "=" + rapid.String().Draw(t, "value")
		})).Draw(t, "base")
		seen := map[string]string{}
		for _, entry := range process.Environ(base, set) {
			n, v, _ := strings.Cut(entry, "=")
			value, own := set[n]
			if own && v != value || !own && !slices.Contains(base, entry) {
				t.Fatalf("%q is neither set nor kept", entry)
			}
			if !own && strings.Contains(n, "_") {
				t.Fatalf("%q may inject code", entry)
			}
			seen[n] = v
		}
		for n := range set {
			if _, ok := seen[n]; !ok {
				t.Fatalf("%q is lost", n)
			}
		}
	})
}
