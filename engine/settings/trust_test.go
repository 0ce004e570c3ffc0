package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func openTrust(t *testing.T, dir, home string) *Trust {
	t.Helper()
	trust, err := OpenTrust(dir)
	if err != nil {
		t.Fatal(err)
	}
	trust.Home = home
	return trust
}

func TestTrust(t *testing.T) {
	root := tree(t, map[string]string{
		"home/work/a/sub/f": "", "home/work/b/f": "", "home/work/ab/f": "", "home/link": "->work/a", "home/file": "",
	})
	home := filepath.Join(root, "home")
	at := func(p string) string { return filepath.Join(home, p) }
	dir := filepath.Join(root, "state", "pawl")
	trust := openTrust(t, dir, home)
	check := func(when string, want map[string]bool) {
		t.Helper()
		for _, tr := range []*Trust{trust, openTrust(t, dir, home)} {
			for p, w := range want {
				if got := tr.Trusted(at(p)); got != w {
					t.Errorf("%s: %s trusted %v", when, p, got)
				}
			}
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check("at first", map[string]bool{"work/a": false, "": false})
	must(trust.Add(at("link")))
	must(trust.Add(at("work/a")))
	check("by way of a link", map[string]bool{"work/a": true, "link": true, "work/a/sub": true, "link/sub": true,
		"work": false, "work/b": false, "work/ab": false, "work/none": false, "file": false})
	must(trust.Add(home))
	check("home is not what lies below", map[string]bool{"": true, "work/b": false, "work/a/sub": true})
	must(trust.Add(root))
	check("nor is what holds home", map[string]bool{"..": true, "work/b": false})
	must(trust.Remove(at("link")))
	check("removed", map[string]bool{"work/a": false, "work/a/sub": false, "": true})

	must(trust.Add(at("work/b")))
	must(os.RemoveAll(at("work/b")))
	must(os.Symlink("ab", at("work/b")))
	check("a link in the place of a trusted directory", map[string]bool{"work/b": false, "work/ab": false})
	must(os.Remove(at("work/b")))
	must(trust.Remove(at("work/b")))
	must(os.Mkdir(at("work/b"), 0o755))
	check("removed while it did not exist", map[string]bool{"work/b": false})

	for _, p := range []string{"/", "", at("file"), at("none")} {
		if err := trust.Add(p); err == nil {
			t.Errorf("added %q", p)
		}
	}
	for p, want := range map[string]os.FileMode{dir: 0o700, trust.File(): 0o600} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", p, info.Mode(), err)
		}
	}
	if names, _ := listing(dir); fmt.Sprint(names) != "[trust.json trust.lock]" {
		t.Errorf("left behind: %v", names)
	}
}

func TestTrustCorrupt(t *testing.T) {
	for name, r := range map[string]struct {
		text string
		mode os.FileMode
	}{
		"not JSON":         {`{"directories":[{"path":"ROOT"}]`, 0o600},
		"more text":        {`{"directories":[{"path":"ROOT"}]} {}`, 0o600},
		"relative":         {`{"directories":[{"path":"ROOT"},{"path":"x"}]}`, 0o600},
		"not clean":        {`{"directories":[{"path":"ROOT/../x"}]}`, 0o600},
		"empty":            {``, 0o600},
		"others may write": {`{"directories":[{"path":"ROOT"}]}`, 0o666},
	} {
		t.Run(name, func(t *testing.T) {
			root := tree(t, map[string]string{"p/f": ""})
			file := filepath.Join(root, "trust.json")
			text := strings.ReplaceAll(r.text, "ROOT", filepath.Join(root, "p"))
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(file, r.mode); err != nil {
				t.Fatal(err)
			}
			trust, err := OpenTrust(root)
			if err == nil || trust == nil || trust.Trusted(filepath.Join(root, "p")) {
				t.Fatalf("got %v, %v", trust, err)
			}
			if err := trust.Add(filepath.Join(root, "p")); err == nil || trust.Trusted(filepath.Join(root, "p")) {
				t.Error("wrote over a list that it could not read")
			}
			if data, _ := os.ReadFile(file); string(data) != text {
				t.Errorf("changed the file to %q", data)
			}
		})
	}
}

// Changes of several processes at once all count.
func TestTrustTogether(t *testing.T) {
	const n = 20
	root := t.TempDir()
	var wg sync.WaitGroup
	for i := range n {
		p := filepath.Join(root, fmt.Sprint("p", i))
		if err := os.Mkdir(p, 0o755); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			trust, err := OpenTrust(filepath.Join(root, "state"))
			if err == nil {
				err = trust.Add(p)
			}
			if err != nil || !trust.Trusted(p) {
				t.Errorf("%s: %v", p, err)
			}
		})
	}
	wg.Wait()
	trust := openTrust(t, filepath.Join(root, "state"), "")
	for i := range n {
		if p := filepath.Join(root, fmt.Sprint("p", i)); !trust.Trusted(p) {
			t.Errorf("%s was lost", p)
		}
	}
}
