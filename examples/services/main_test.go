package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The policy against the services, at an address of the test's own.
func TestAsk(t *testing.T) {
	text, err := os.ReadFile("pawl.yaml")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(services("s3cret"))
	defer server.Close()
	policy := filepath.Join(t.TempDir(), "pawl.yaml")
	if err := os.WriteFile(policy, []byte(strings.ReplaceAll(string(text), "http://127.0.0.1:8731", server.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ token, tool, operand, want string }{
		{"s3cret", "Bash", "ls", "Bash ls: none\n"},
		{"s3cret", "Bash", "terraform destroy", "Bash terraform destroy: deny\nask the operators"},
		{"wrong", "Bash", "ls", "Bash ls: deny\n"},
		{"", "Write", "notes.txt", "Write notes.txt: none\n"},
		{"", "Write", "/etc/hosts", "Write /etc/hosts: ask\na file of the system"},
	} {
		t.Setenv("REVIEW_TOKEN", tt.token)
		var out strings.Builder
		if err := ask(t.Context(), &out, policy, tt.tool, tt.operand); err != nil || !strings.HasPrefix(out.String(), tt.want) {
			t.Errorf("%s %s with token %q: %q, error %v", tt.tool, tt.operand, tt.token, out.String(), err)
		}
	}
}
