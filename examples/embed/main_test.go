package main

import (
	"strings"
	"testing"
)

func TestShellTool(t *testing.T) {
	var out strings.Builder
	if err := shellTool(t.Context(), &out, "ls -la"); err != nil || out.String() != "would run: ls -la\n" {
		t.Errorf("ls -la: wrote %q, error %v; want it to run", out.String(), err)
	}
	out.Reset()
	err := shellTool(t.Context(), &out, "make clean && sudo rm -rf build")
	if err == nil || !strings.Contains(err.Error(), "use trash-put") || out.Len() > 0 {
		t.Errorf("rm: wrote %q, error %v; want the reason of the rule", out.String(), err)
	}
}
