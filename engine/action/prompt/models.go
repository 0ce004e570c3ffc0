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

// modelsKey is the key of the settings that declares models.
const modelsKey = "models"

// declared are the models of the settings.
type declared struct {
	names []string // in the order of their files
	by    map[string]hook.Field
}

// models reads models: of all files. The first declaration of a name counts:
// what a company declares for its guards, no file below it can redirect.
func models(deps hook.Deps) declared {
	all := declared{by: map[string]hook.Field{}}
	for _, s := range deps.Settings {
		if s.Name != modelsKey {
			continue
		}
		list, _ := s.Entries()
		for _, d := range list {
			if _, known := all.by[d.Name]; !known {
				all.by[d.Name] = d
				all.names = append(all.names, d.Name)
			}
		}
	}
	return all
}

// findModel returns the model that an entry asks, and its name. It is told to
// r if there is none.
func (o Options) findModel(r *hook.FieldReader, deps hook.Deps) (hook.Model, string) {
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
	m, wrong := o.open(all.by[key], deps)
	if wrong != nil {
		r.Fail("model", fmt.Sprintf("%s (%s): %s", wrong.Path, wrong.Pos, wrong.Message), wrong.Advice)
		return nil, ""
	}
	return m, key
}

// Settings are the keys that belong to hooks which ask models.
func (o Options) Settings() map[string]func(hook.Setting, hook.Deps) []hook.Diagnostic {
	return map[string]func(hook.Setting, hook.Deps) []hook.Diagnostic{modelsKey: o.judge}
}

// judge says what is wrong with models: of one file.
func (o Options) judge(s hook.Setting, deps hook.Deps) (diags []hook.Diagnostic) {
	list, ok := s.Entries()
	if !ok {
		return []hook.Diagnostic{{Severity: hook.Warning, Pos: s.Pos, Path: s.Name,
			Message: "expected a mapping from names to models", Advice: "write models: {default: {provider: anthropic, model: …}}"}}
	}
	for _, d := range list {
		if _, wrong := o.open(d, deps); wrong != nil {
			diags = append(diags, *wrong)
		}
	}
	return diags
}

// open makes the model of a declaration, or says what is wrong with that.
func (o Options) open(d hook.Field, deps hook.Deps) (hook.Model, *hook.Diagnostic) {
	spec, wrong := readModel(d)
	if wrong != nil {
		return nil, wrong
	}
	provider, linked := o.Providers[spec.Provider]
	if !linked {
		names := slices.Sorted(maps.Keys(o.Providers))
		return nil, fault(d, "provider", hook.DidYouMean(spec.Provider, names),
			"provider %q is not in this build; it has %s", spec.Provider, strings.Join(names, ", "))
	}
	spec.Env = deps.Env
	m, err := provider(spec)
	if err != nil {
		key, _, _ := strings.Cut(err.Error(), ":")
		return nil, fault(d, key, "", "%v", err)
	}
	return m, nil
}

// fault is what is wrong with the value of key in a declaration, or with all of
// it if it has no such key.
func fault(d hook.Field, key, advice, format string, args ...any) *hook.Diagnostic {
	f := &hook.Diagnostic{Severity: hook.Warning, Pos: d.Pos, Path: modelsKey + "." + d.Name, Message: fmt.Sprintf(format, args...), Advice: advice}
	for _, m := range d.Members {
		if m.Name == key {
			f.Pos = m.Pos
		}
	}
	return f
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
		if m, _ := all.by[key].Value.(map[string]any); m["model"] == name {
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

// readModel reads a declaration.
func readModel(d hook.Field) (s hook.ModelSpec, wrong *hook.Diagnostic) {
	fields, ok := d.Entries()
	if !ok {
		return s, fault(d, "", "", "expected a mapping with provider and model")
	}
	s.Name = d.Name
	texts := map[string]*string{"provider": &s.Provider, "model": &s.Model, "base_url": &s.BaseURL, "key_env": &s.KeyEnv}
	for _, f := range fields {
		switch to := texts[f.Name]; {
		case to != nil:
			if *to, ok = f.Value.(string); !ok || *to == "" {
				return s, fault(d, f.Name, "", "%s: expected a string, got %v", f.Name, f.Value)
			}
		case f.Name == "timeout":
			if s.Timeout, ok = span(f.Value); !ok {
				return s, fault(d, f.Name, "", "timeout: expected a duration such as \"20s\", or a number of seconds, got %v", f.Value)
			}
		case f.Name == "max_tokens":
			if s.MaxTokens, ok = f.Value.(int); !ok || s.MaxTokens <= 0 {
				return s, fault(d, f.Name, "", "max_tokens: expected a whole number greater than 0, got %v", f.Value)
			}
		default:
			known := slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(texts)), "timeout", "max_tokens")))
			wrong = fault(d, f.Name, cmp.Or(hook.DidYouMean(f.Name, known), "one of "+strings.Join(known, ", ")), "unknown key %q", f.Name)
			if f.Key.Line > 0 {
				wrong.Pos = f.Key
			}
			return s, wrong
		}
	}
	for _, key := range []string{"provider", "model"} {
		if *texts[key] == "" {
			return s, fault(d, "", "", "missing %q", key)
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
