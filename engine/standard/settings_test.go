package standard_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/engine"
	"github.com/pawl-dev/pawl/engine/hook"
)

// What is wrong with a model, a server or a list of what is allowed is told
// when it is loaded, where it stands, though no hook needs it. It changes no
// event.
func TestSettingsOfTypes(t *testing.T) {
	file := put(t, filepath.Join(t.TempDir(), "pawl.yaml"), `models:
  good: {provider: openai, model: small}
  misspelt: {provider: openai, modle: small}
  clear:
    provider: anthropic
    model: big
    base_url: http://models.example
    key_env: K
  nobody: {provider: opanai, model: small}
  text: small
mcpServers:
  good: {command: x}
  both: {command: x, url: "https://a.example"}
  off: {disabled: true, type: sse}
  sse:
    type: sse
    url: https://a.example
allowedHttpHookUrls: ["https://a.example/*", a.example]
httpHookAllowedEnvVars: TOKEN
`)
	e := open(t, file)
	want := []string{
		`:3:32: models.misspelt: unknown key "modle" (did you mean "model"?)`,
		`:7:15: models.clear: base_url: the key would go to models.example in clear`,
		`:9:22: models.nobody: provider "opanai" is not in this build; it has anthropic, openai (did you mean "openai"?)`,
		`:10:9: models.text: expected a mapping`,
		`:13:27: mcpServers.both.url: a server is a command or a url`,
		`:16:11: mcpServers.sse.type: expected one of`,
		`:18:22: allowedHttpHookUrls[1]: "a.example" allows nothing`,
		`:19:25: httpHookAllowedEnvVars: expected a list of strings`,
	}
	var got []string
	for _, d := range e.Diagnostics() {
		got = append(got, strings.TrimPrefix(d.Error(), file))
		if d.Severity != hook.Warning {
			t.Errorf("%v is a %v", d, d.Severity)
		}
	}
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if dec := e.Dispatch(t.Context(), engine.Event{Name: engine.SessionStart}); len(dec.Steps) > 0 || len(dec.Notices) > 0 {
		t.Errorf("steps %+v, notices %v", dec.Steps, dec.Notices)
	}
	if names := e.Unjudged(); len(names) > 0 {
		t.Errorf("nobody judges %v", names)
	}
	without, err := engine.Open(t.Context(), file, engine.WithManaged(t.TempDir()), engine.WithHome(t.TempDir()))
	if names := fmt.Sprint(without.Unjudged()); err != nil || names != "[allowedHttpHookUrls httpHookAllowedEnvVars mcpServers models]" {
		t.Errorf("without the types: %v, nobody judges %v", err, names)
	}
}
