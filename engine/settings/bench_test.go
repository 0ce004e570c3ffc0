package settings

import (
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

func thousandRules() []byte {
	var b strings.Builder
	b.WriteString("rules:\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "  - name: rule-%d\n    on: PreToolUse\n    match: Edit|Write\n    when: path(\"//srv/%d/**\") and permission_mode != \"plan\"\n    decision: deny\n    reason: \"no: ${tool_input.file_path}\"\n", i, i)
	}
	return []byte(b.String())
}

// BenchmarkParseFile against BenchmarkYAMLNodes is what settings costs beyond
// the YAML parser.
func BenchmarkParseFile(b *testing.B) {
	data := thousandRules()
	b.ReportAllocs()
	for b.Loop() {
		if f := parse("pawl.yaml", string(data)); len(f.Specs) != 1000 {
			b.Fatal(words(f))
		}
	}
}

func BenchmarkYAMLNodes(b *testing.B) {
	data := thousandRules()
	b.ReportAllocs()
	for b.Loop() {
		var n yaml.Node
		if err := yaml.Unmarshal(data, &n); err != nil {
			b.Fatal(err)
		}
	}
}
