package dialect

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine/answer"
	"github.com/pawl-dev/pawl/engine/hook"
)

var update = flag.Bool("update", false, "rewrite the replies under testdata/events")

const eventsDir = "../../testdata/events"

// TestReplies encodes the decision of each file for its event. The files are
// the documentation of what an agent is told.
func TestReplies(t *testing.T) {
	for _, d := range All() {
		files, err := filepath.Glob(filepath.Join(eventsDir, d.Name, "replies", "*.txtar"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: no replies (%v)", d.Name, err)
		}
		for _, file := range files {
			name := d.Name + "/" + strings.TrimSuffix(filepath.Base(file), ".txtar")
			t.Run(name, func(t *testing.T) { checkReply(t, d, file) })
		}
	}
}

func checkReply(t *testing.T, d Dialect, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	comment, part := sections(string(data))
	ev, _, err := d.Decode(parse(t, []byte(part["event"])))
	if err != nil {
		t.Fatal(err)
	}
	reply := d.Encode(ev, readDecision(t, []byte(part["decision"])))
	got := map[string]string{
		"stdout": string(reply.Stdout), "stderr": string(reply.Stderr), "code": fmt.Sprintln(reply.Code),
	}
	if *update {
		maps.Copy(part, got)
		for _, name := range []string{"event", "decision", "stdout", "stderr", "code"} {
			comment += "-- " + name + " --\n" + part[name]
		}
		if err := os.WriteFile(file, []byte(comment), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range got {
		if want := part[name]; text != want {
			t.Errorf("%s:\n got %s\nwant %s", name, text, want)
		}
	}
}

// sections splits a txtar archive.
func sections(text string) (comment string, files map[string]string) {
	files = map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		if inner, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(inner, " --\n") {
			name = strings.TrimSuffix(inner, " --\n")
		} else if name == "" {
			comment += line
		} else {
			files[name] += line
		}
	}
	return comment, files
}

// readDecision reads what EncodeJSON writes, as far as a reply depends on it.
func readDecision(t *testing.T, data []byte) hook.Decision {
	t.Helper()
	var in struct {
		Decision       string
		Reasons        []string
		Context        []string `json:"additional_context"`
		Notices        []string `json:"system_messages"`
		Continue       *bool
		StopReason     string          `json:"stop_reason"`
		ContinueReason string          `json:"continue_reason"`
		Input          json.RawMessage `json:"updated_input"`
		Output         json.RawMessage
		Retry          bool
		Quiet          bool `json:"suppress_output"`
		Bypassed       bool
		Metadata       []json.RawMessage
		Specific       map[string]json.RawMessage
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		t.Fatal(err)
	}
	verdict, ok := hook.ParseVerdict(in.Decision)
	if !ok {
		t.Fatalf("decision %q", in.Decision)
	}
	d := hook.Decision{
		Verdict: verdict, Reasons: in.Reasons, Context: in.Context, Notices: in.Notices,
		Halted: in.Continue != nil && !*in.Continue, StopReason: in.StopReason, ContinueReason: in.ContinueReason,
		Output: in.Output, Retry: in.Retry, Quiet: in.Quiet, Bypassed: in.Bypassed,
	}
	if in.Input != nil {
		d.Input = parse(t, in.Input)
	}
	for _, m := range in.Metadata {
		d.Metadata = append(d.Metadata, parse(t, m))
	}
	for name, raw := range in.Specific {
		d.Specific = append(d.Specific, hook.Member{Name: name, Raw: raw})
	}
	return d
}

func parse(t *testing.T, data []byte) hook.Object {
	t.Helper()
	o, err := answer.Parse(data)
	if err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return o
}
