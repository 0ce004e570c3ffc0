package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

func pin(t *testing.T, trust *Trust, root string, files ...Pinned) {
	t.Helper()
	if err := trust.Pin(root, files); err != nil {
		t.Fatal(err)
	}
}

// What is pinned comes back as it was, by whatever way one gets to the
// workspace, and there is nothing else in it.
func TestPins(t *testing.T) {
	root := tree(t, map[string]string{"p/pawl.yaml": "disk", "link": "->p", "q/file": ""})
	at := func(name string) string { return filepath.Join(root, name) }
	trust := openTrust(t, at("state"), "")
	if over, err := trust.Pins(at("p")); over != nil || err != nil {
		t.Fatalf("nothing is pinned: %v %v", over, err)
	}
	pin(t, trust, at("link"),
		Pinned{at("link/pawl.yaml"), hook.Stand{Text: []byte("pinned\n{}\x00"), Dir: at("link")}},
		Pinned{at("p/.pawl/empty.yaml"), hook.Stand{Text: []byte{}, Dir: at("p")}},
		Pinned{at("p/x/y/guard.sh"), hook.Stand{Text: []byte("exit 2"), Mode: 0o750}},
		Pinned{at("p/missing.sh"), hook.Stand{}},
		Pinned{at("p/policies"), hook.Stand{Mode: fs.ModeDir}},
		Pinned{at("p/bin"), hook.Stand{Sum: strings.Repeat("ab", 32), Mode: 0o700}},
		Pinned{at("elsewhere/z.sh"), hook.Stand{Text: []byte("z")}},
	)
	for _, way := range []string{"p", "link"} {
		over, err := openTrust(t, at("state"), "").Pins(at(way))
		if err != nil || !over.Whole {
			t.Fatalf("%s: %v", way, err)
		}
		for name, want := range map[string]hook.Stand{
			"pawl.yaml":         {Text: []byte("pinned\n{}\x00"), Dir: at(way)},
			".pawl/empty.yaml":  {Text: []byte{}, Dir: at(way)},
			"x/y/guard.sh":      {Text: []byte("exit 2"), Mode: 0o750},
			"missing.sh":        {},
			"policies":          {Mode: fs.ModeDir},
			"bin":               {Sum: strings.Repeat("ab", 32), Mode: 0o700},
			"../elsewhere/z.sh": {Text: []byte("z")},
		} {
			for _, through := range []string{"p", way} {
				if got, ok := over.File(filepath.Join(at(through), name)); !ok || !reflect.DeepEqual(got, want) {
					t.Errorf("%s by %s: %+v %v", name, through, got, ok)
				}
			}
		}
		if s, ok := over.Stands(at("p/new.yaml")); !ok || s.Text != nil {
			t.Errorf("a new file: %+v %v", s, ok)
		}
		for dir, want := range map[string]string{"p": ".pawl bin pawl.yaml policies x", "link/x": "y", "p/x/y": "guard.sh", "p/x/y/guard.sh": "", "elsewhere": "z.sh", "q": ""} {
			names := over.Names(at(dir))
			slices.Sort(names)
			if got := strings.Join(names, " "); got != want && !(way == "p" && dir == "link/x") {
				t.Errorf("in %s: %s, want %s", dir, got, want)
			}
		}
	}
	for name, want := range map[string]bool{"p": true, "link": true, "q": false, "p/x": false} {
		if got := trust.IsPinned(at(name)); got != want {
			t.Errorf("%s pinned: %v", name, got)
		}
	}
	if err := filepath.WalkDir(at("state"), func(path string, d fs.DirEntry, err error) error {
		info, err := d.Info()
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; err == nil && info.Mode().Perm() != want {
			t.Errorf("%s: %v", path, info.Mode())
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

// Trust in what is pinned is trust in that directory alone; trust without a
// pin takes the pin away.
func TestPinnedTrust(t *testing.T) {
	root := tree(t, map[string]string{"p/sub/f": ""})
	p, sub := filepath.Join(root, "p"), filepath.Join(root, "p/sub")
	trust := openTrust(t, filepath.Join(root, "state"), "")
	check := func(when string, pinned, trusted, below bool) {
		t.Helper()
		for _, tr := range []*Trust{trust, openTrust(t, filepath.Join(root, "state"), "")} {
			if tr.IsPinned(p) != pinned || tr.Trusted(p) != trusted || tr.Trusted(sub) != below {
				t.Errorf("%s: pinned %v, trusted %v, below %v", when, tr.IsPinned(p), tr.Trusted(p), tr.Trusted(sub))
			}
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	pin(t, trust, p)
	check("pinned", true, true, false)
	if over, err := trust.Pins(p); over == nil || err != nil {
		t.Errorf("a pin of no files is one: %v %v", over, err)
	}
	must(trust.Add(sub))
	check("below", true, true, true)
	must(trust.Remove(sub))
	must(trust.Add(p))
	check("no longer pinned", false, true, true)
	pin(t, trust, p)
	must(trust.Remove(p))
	check("removed", false, false, false)
}

// A pin that is not what was stored is none, and trust.json takes nothing that
// it does not understand.
func TestPinsCorrupt(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"gone":      os.Remove,
		"changed":   func(path string) error { return os.WriteFile(path, []byte("[]\n"), 0o600) },
		"cut":       func(path string) error { return os.Truncate(path, 40) },
		"a link":    func(path string) error { return errors.Join(os.Remove(path), os.Symlink("/dev/zero", path)) },
		"directory": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			root := tree(t, map[string]string{"p/f": ""})
			trust := openTrust(t, filepath.Join(root, "state"), "")
			pin(t, trust, filepath.Join(root, "p"), Pinned{filepath.Join(root, "p/f"), hook.Stand{Text: []byte("text")}})
			path := filepath.Join(root, "state/pins", trust.List()[0].Pin)
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			over, err := trust.Pins(filepath.Join(root, "p"))
			if over != nil || err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "until pawl trust --pin") {
				t.Errorf("%v %v", over, err)
			}
			pin(t, trust, filepath.Join(root, "p"))
			if over, err := trust.Pins(filepath.Join(root, "p")); over == nil || err != nil {
				t.Errorf("pinned anew: %v", err)
			}
		})
	}
	for _, text := range []string{
		`{"directories":[{"path":"/p","pin":"../../x"}]}`, `{"directories":[{"path":"/p","pin":"` + strings.Repeat("AB", 32) + `"}]}`,
		`{"directories":[{"path":"/p","pins":"x"}]}`, `{"directories":[{"path":"/p","path":"/q"}]}`, `{"directories":[{}]}`, `{"directories":["/p"]}`,
		`{"directories":[],"more":1}`, `{"directories":{}}`, `[]`,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "trust.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if trust, err := OpenTrust(dir); err == nil || len(trust.List()) > 0 {
			t.Errorf("%s: %v", text, trust.List())
		}
	}
}

// Old lists, whose entries have a path alone, are read.
func TestTrustOfBefore(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "trust.json"), []byte("{\n  \"directories\": [\n    {\n      \"path\": \"/p\"\n    }\n  ]\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if trust, err := OpenTrust(dir); err != nil || !slices.Equal(trust.List(), []Trusted{{Path: "/p"}}) {
		t.Errorf("%v %v", trust.List(), err)
	}
}

// Old pins go, but not at once: another process may have read the list.
func TestPinsAreSwept(t *testing.T) {
	root := tree(t, map[string]string{"p/f": ""})
	p := filepath.Join(root, "p")
	trust := openTrust(t, filepath.Join(root, "state"), "")
	pin(t, trust, p)
	before := openTrust(t, filepath.Join(root, "state"), "")
	pin(t, trust, p, Pinned{filepath.Join(p, "f"), hook.Stand{Text: []byte("1")}})
	if over, err := before.Pins(p); over == nil || err != nil {
		t.Errorf("who has read the list cannot read the pin: %v", err)
	}
	long := time.Now().Add(-2 * time.Hour)
	names, _ := listing(filepath.Join(root, "state/pins"))
	for _, name := range names {
		if err := os.Chtimes(filepath.Join(root, "state/pins", name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	pin(t, trust, p, Pinned{filepath.Join(p, "f"), hook.Stand{Text: []byte("2")}})
	if names, _ := listing(filepath.Join(root, "state/pins")); !slices.Equal(names, []string{trust.List()[0].Pin}) {
		t.Errorf("left: %v", names)
	}
}

// Pins of several processes at once all count.
func TestPinsTogether(t *testing.T) {
	root := t.TempDir()
	var wg sync.WaitGroup
	for i := range 10 {
		p := filepath.Join(root, fmt.Sprint("p", i))
		if err := os.Mkdir(p, 0o755); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			trust, err := OpenTrust(filepath.Join(root, "state"))
			if err == nil {
				err = trust.Pin(p, []Pinned{{filepath.Join(p, "f"), hook.Stand{Text: []byte(p)}}})
			}
			if err != nil {
				t.Errorf("%s: %v", p, err)
			}
		})
	}
	wg.Wait()
	trust := openTrust(t, filepath.Join(root, "state"), "")
	for i := range 10 {
		p := filepath.Join(root, fmt.Sprint("p", i))
		files, err := trust.Pinned(p)
		if err != nil || len(files) != 1 || string(files[0].Text) != p {
			t.Errorf("%s: %v %v", p, files, err)
		}
	}
}
