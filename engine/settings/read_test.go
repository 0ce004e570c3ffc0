//go:build unix

package settings

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A file that is there and cannot be read blocks, and is never waited for.
func TestUnreadableFiles(t *testing.T) {
	root := tree(t, map[string]string{
		"link/pawl.yaml":           "->nowhere",
		"loop/pawl.yaml":           "->pawl.yaml",
		"device/pawl.yaml":         "->/dev/zero",
		"directory/.pawl/x.yaml/y": "",
		"dangling/.pawl":           "->nowhere",
		"file/.pawl":               "not a directory",
		"large/pawl.yaml":          strings.Repeat("#", maxFile+1),
		"limit/pawl.yaml":          "{}" + strings.Repeat(" ", maxFile-2),
		"secret/pawl.yaml":         rule("a"),
	})
	if err := os.Mkdir(filepath.Join(root, "pipe"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(root, "pipe", "pawl.yaml"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(root, "secret", "pawl.yaml"), 0); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		"link":      "  error: link/pawl.yaml: is a symbolic link to nothing\n",
		"loop":      "  error: loop/pawl.yaml: cannot be read: too many levels of symbolic links\n",
		"device":    "  error: device/pawl.yaml: is not a regular file\n",
		"directory": "  error: directory/.pawl/x.yaml: is a directory, expected a file\n",
		"dangling":  "  error: dangling/.pawl: is a symbolic link to nothing\n",
		"file":      "",
		"pipe":      "  error: pipe/pawl.yaml: is a named pipe, expected a regular file\n",
		"large":     "  error: large/pawl.yaml: larger than 4 MiB\n",
		"limit":     "",
		"secret":    "  error: secret/pawl.yaml: cannot be read: permission denied\n",
	} {
		t.Run(dir, func(t *testing.T) {
			if dir == "secret" && os.Geteuid() == 0 {
				t.Skip("root reads every file")
			}
			got := loaded(t, root, Options{Workspace: filepath.Join(root, dir)})
			if !strings.HasSuffix(got, want) || strings.Contains(got, "BROKEN") != (want != "") {
				t.Errorf("got %s", got)
			}
		})
	}
}
