package prompt_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/engine/action/prompt"
	"github.com/pawl-dev/pawl/engine/hook"
)

type fields = map[string]any

// setting is models: of one file.
func setting(file string, models any) hook.Setting {
	return hook.Setting{Field: hook.Field{Name: "models", Value: models, Pos: hook.Position{File: file, Line: 2, Col: 9}}}
}

func anthropic(model string) fields { return fields{"provider": "anthropic", "model": model} }

// Which model an entry asks, and what it hears if there is none.
func TestModels(t *testing.T) {
	two := []hook.Setting{setting("a.yaml", fields{"guard": anthropic("haiku"), "cheap": anthropic("tiny")})}
	one := []hook.Setting{setting("a.yaml", fields{"guard": anthropic("haiku")})}
	for name, tt := range map[string]struct {
		model    string
		settings []hook.Setting
		lent     []string
		want     string // the name and provider's name of the model that is asked
		fault    string
	}{
		"by name":                 {"guard", two, nil, "guard haiku", ""},
		"by the provider's name":  {"tiny", two, nil, "cheap tiny", ""},
		"the only one":            {"", one, nil, "guard haiku", ""},
		"none is the default":     {"", two, nil, "", "several models are declared (cheap, guard)"},
		"the default":             {"", []hook.Setting{setting("a.yaml", fields{"default": anthropic("d"), "x": anthropic("x")})}, nil, "default d", ""},
		"lent":                    {"guard", two, []string{"guard"}, "guard lent", ""},
		"lent as the default":     {"", two, []string{"default"}, "default lent", ""},
		"lent does not stand for": {"guarb", two, []string{"default"}, "", `there is no model "guarb" (did you mean "guard"?)`},
		"nothing like it":         {"gpt-9000", one, nil, "", `there is no model "gpt-9000" (one of guard)`},
		"two have that name":      {"haiku", []hook.Setting{setting("a.yaml", fields{"a": anthropic("haiku"), "b": anthropic("haiku")})}, nil, "", `there is no model "haiku"`},
		"none at all":             {"", nil, nil, "", "there is no model to ask (declare one: models:"},
		"the first file counts": {"guard", []hook.Setting{setting("managed.yaml", fields{"guard": anthropic("first")}), setting("b.yaml", fields{"guard": anthropic("second")})},
			nil, "guard first", ""},
		"also if it is broken": {"guard", []hook.Setting{setting("managed.yaml", fields{"guard": 1}), setting("b.yaml", fields{"guard": anthropic("second")})},
			nil, "", "models.guard (managed.yaml:2:9): expected a mapping"},
		"another key": {"guard", []hook.Setting{{Field: hook.Field{Name: "mcpServers", Value: fields{"guard": anthropic("x")}}}}, nil, "", "there is no model to ask"},
	} {
		t.Run(name, func(t *testing.T) {
			deps := hook.Deps{Settings: tt.settings, Models: map[string]hook.Model{}}
			for _, name := range tt.lent {
				deps.Models[name] = saying(`{"ok":false,"reason":"lent"}`)
			}
			opts := prompt.Options{Providers: map[string]hook.Provider{"anthropic": func(s hook.ModelSpec) (hook.Model, error) {
				return saying(fmt.Sprintf(`{"ok":false,"reason":%q}`, s.Model)), nil
			}}}
			spec := entry(hook.PreToolUse, "prompt", "x", "model", tt.model)
			if tt.model == "" {
				spec = entry(hook.PreToolUse, "prompt", "x")
			}
			a, diags := prompt.Type(opts).New(spec, deps)
			if tt.fault != "" {
				if len(diags) != 1 || diags[0].Severity != hook.Error || !strings.Contains(diags[0].Error(), tt.fault) {
					t.Errorf("got %v, want %q", diags, tt.fault)
				}
				return
			}
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			res, err := a.Run(t.Context(), call(hook.Event{Name: hook.PreToolUse}, &spec))
			asked, _, _ := strings.Cut(strings.TrimPrefix(res.Diagnostics[0].Message, "model "), ":")
			if got := asked + " " + res.Reason; err != nil || got != tt.want {
				t.Errorf("asked %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestDeclarations(t *testing.T) {
	env := func(string) (string, bool) { return "", false }
	for name, tt := range map[string]struct {
		fields any
		want   hook.ModelSpec
		fault  string
	}{
		"all": {fields{"provider": "p", "model": "m", "base_url": "https://x", "key_env": "K", "timeout": "1500ms", "max_tokens": 9},
			hook.ModelSpec{Provider: "p", Model: "m", BaseURL: "https://x", KeyEnv: "K", Timeout: 1500 * time.Millisecond, MaxTokens: 9}, ""},
		"seconds":         {fields{"provider": "p", "model": "m", "timeout": 20}, hook.ModelSpec{Provider: "p", Model: "m", Timeout: 20 * time.Second}, ""},
		"milliseconds":    {fields{"provider": "p", "model": "m", "timeout": 2500.0}, hook.ModelSpec{Provider: "p", Model: "m", Timeout: 2500 * time.Millisecond}, ""},
		"a text":          {"haiku", hook.ModelSpec{}, "expected a mapping with provider and model"},
		"no provider":     {fields{"model": "m"}, hook.ModelSpec{}, `missing "provider"`},
		"no model":        {fields{"provider": "p"}, hook.ModelSpec{}, `missing "model"`},
		"empty model":     {fields{"provider": "p", "model": ""}, hook.ModelSpec{}, "model: expected a string"},
		"misspelt":        {fields{"provider": "p", "model": "m", "base_ulr": "x"}, hook.ModelSpec{}, `unknown key "base_ulr" (did you mean "base_url"?)`},
		"a key in clear":  {fields{"provider": "p", "model": "m", "secret": "sk-1"}, hook.ModelSpec{}, `unknown key "secret" (one of base_url, key_env`},
		"no timeout":      {fields{"provider": "p", "model": "m", "timeout": 0}, hook.ModelSpec{}, "timeout: expected a duration"},
		"endless":         {fields{"provider": "p", "model": "m", "timeout": "1h"}, hook.ModelSpec{}, "timeout: expected a duration"},
		"negative tokens": {fields{"provider": "p", "model": "m", "max_tokens": -1}, hook.ModelSpec{}, "max_tokens: expected a whole number"},
		"unlinked":        {fields{"provider": "q", "model": "m"}, hook.ModelSpec{}, `provider "q" is not in this build; it has p`},
		"refused by it":   {fields{"provider": "p", "model": "refused"}, hook.ModelSpec{}, "the provider says no"},
	} {
		t.Run(name, func(t *testing.T) {
			var got hook.ModelSpec
			opts := prompt.Options{Providers: map[string]hook.Provider{"p": func(s hook.ModelSpec) (hook.Model, error) {
				if got = s; s.Model == "refused" {
					return nil, errors.New("the provider says no")
				}
				return saying(""), nil
			}}}
			deps := hook.Deps{Env: env, Settings: []hook.Setting{setting("a.yaml", fields{"guard": tt.fields})}}
			_, diags := prompt.Type(opts).New(entry(hook.PreToolUse, "prompt", "x"), deps)
			if tt.fault != "" {
				if len(diags) != 1 || !strings.Contains(diags[0].Error(), "models.guard (a.yaml:2:9): ") || !strings.Contains(diags[0].Error(), tt.fault) {
					t.Errorf("got %v, want %q", diags, tt.fault)
				}
				return
			}
			if got.Env == nil {
				t.Error("no environment")
			}
			got.Env = nil
			tt.want.Name = "guard"
			if len(diags) > 0 || fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("got %+v, %v", got, diags)
			}
		})
	}
}
