package shell

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// An exact plain text is its own command, word for word.
func TestPlainIsExact(t *testing.T) {
	words := []string{"ls", "git", "docker", "compose", "kubectl", "push", "-C", "d", "-n", "get", "npm", "run", "--help", "aws", "s3", "go", "-f", "make", "systemctl", "nix", "x.y"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 6).Draw(t, "words"), " ")
		command, exact := Plain(text)
		if !exact {
			return
		}
		if c := Parse(text, Options{}); len(c.List) != 1 || c.List[0].Text != command || len(c.Possible) > 0 || c.Opaque {
			t.Fatalf("%q is exact, but runs %+v", text, c)
		}
	})
}
