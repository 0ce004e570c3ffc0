package prompt

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/engine/hook"
)

// defaultModel is the name of the model for hooks that name none.
const defaultModel = "default"

// declared are the models of the settings.
type declared struct {
	names []string // in the order of their files
	by    map[string]declaration
}

type declaration struct {
	fields any
	pos    hook.Position
}

// models reads models: of all files. The first declaration of a name counts:
// what a company declares for its guards, no file below it can redirect.
func models(deps hook.Deps) declared {
	all := declared{by: map[string]declaration{}}
	for _, s := range deps.Settings {
		list, _ := s.Value.(map[string]any)
		if s.Name != "models" {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(list)) {
			if _, known := all.by[name]; !known {
				all.by[name] = declaration{list[name], s.Pos}
				all.names = append(all.names, name)
			}
		}
	}
	return all
}

// findModel returns the model that an entry asks, and its name. It is told to
// r if there is none.
func findModel(r *hook.FieldReader, providers map[string]hook.Provider, deps hook.Deps) (hook.Model, string) {
	name := r.Text("model")
	if m, lent := deps.Models[cmp.Or(name, defaultModel)]; lent {
		return m, cmp.Or(name, defaultModel)
	}
	all := models(deps)
	key, found := all.find(name)
	if !found {
		message, advice := all.missing(name, deps.Models)
		r.Fail("model", message, advice)
		return nil, ""
	}
	d := all.by[key]
	spec, err := d.spec(key)
	if err == nil {
		provider, linked := providers[spec.Provider]
		if !linked {
			names := slices.Sorted(maps.Keys(providers))
			r.Fail("model", fmt.Sprintf("models.%s (%s): provider %q is not in this build; it has %s", key, d.pos, spec.Provider, strings.Join(names, ", ")),
				hook.DidYouMean(spec.Provider, names))
			return nil, ""
		}
		spec.Env = deps.Env
		var m hook.Model
		if m, err = provider(spec); err == nil {
			return m, key
		}
	}
	r.Fail("model", fmt.Sprintf("models.%s (%s): %v", key, d.pos, err), "")
	return nil, ""
}

// find returns the key of a model that hooks call name: its own name, or, where
// that is not ambiguous, what its provider calls it.
func (all declared) find(name string) (string, bool) {
	if name == "" {
		if len(all.names) == 1 {
			return all.names[0], true
		}
		name = defaultModel
	}
	if _, ok := all.by[name]; ok {
		return name, true
	}
	var same []string
	for _, key := range all.names {
		if m, _ := all.by[key].fields.(map[string]any); m["model"] == name {
			same = append(same, key)
		}
	}
	if len(same) != 1 {
		return "", false
	}
	return same[0], true
}

// missing says that there is no model that hooks call name, and what to do.
func (all declared) missing(name string, lent map[string]hook.Model) (message, advice string) {
	names := slices.Concat(all.names, slices.Sorted(maps.Keys(lent)))
	switch {
	case len(names) == 0:
		return "there is no model to ask", "declare one: models: {default: {provider: anthropic, model: …}}"
	case name == "":
		return fmt.Sprintf("several models are declared (%s), and none of them is the default", strings.Join(names, ", ")),
			"name one with model:, or call one of them " + defaultModel
	}
	if advice = hook.DidYouMean(name, names); advice == "" {
		advice = "one of " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("there is no model %q", name), advice
}

// spec reads a declaration.
func (d declaration) spec(name string) (s hook.ModelSpec, err error) {
	fields, ok := d.fields.(map[string]any)
	if !ok {
		return s, fmt.Errorf("expected a mapping with provider and model")
	}
	s.Name = name
	texts := map[string]*string{"provider": &s.Provider, "model": &s.Model, "base_url": &s.BaseURL, "key_env": &s.KeyEnv}
	known := append(slices.Collect(maps.Keys(texts)), "timeout", "max_tokens")
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		v := fields[key]
		switch to := texts[key]; {
		case to != nil:
			if *to, ok = v.(string); !ok || *to == "" {
				return s, fmt.Errorf("%s: expected a string, got %v", key, v)
			}
		case key == "timeout":
			if s.Timeout, ok = span(v); !ok {
				return s, fmt.Errorf("timeout: expected a duration such as \"20s\", or a number of seconds, got %v", v)
			}
		case key == "max_tokens":
			if s.MaxTokens, ok = v.(int); !ok || s.MaxTokens <= 0 {
				return s, fmt.Errorf("max_tokens: expected a whole number greater than 0, got %v", v)
			}
		default:
			advice := hook.DidYouMean(key, known)
			if advice == "" {
				advice = "one of " + strings.Join(slices.Sorted(slices.Values(known)), ", ")
			}
			return s, fmt.Errorf("unknown key %q (%s)", key, advice)
		}
	}
	for _, key := range []string{"provider", "model"} {
		if *texts[key] == "" {
			return s, fmt.Errorf("missing %q", key)
		}
	}
	return s, nil
}

// span reads a timeout as the settings have it everywhere: a duration, or a
// number of seconds, from 1000 on of milliseconds.
func span(v any) (t time.Duration, ok bool) {
	n, isFloat := v.(float64)
	if i, isInt := v.(int); isInt {
		n, isFloat = float64(i), true
	}
	if text, isText := v.(string); isText {
		t, _ = time.ParseDuration(text)
	} else if isFloat {
		if t = time.Second; n >= 1000 {
			t = time.Millisecond
		}
		t = time.Duration(max(0, min(n, 1e6)) * float64(t))
	}
	return t, 0 < t && t <= 300*time.Second
}
