package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/vm/runtime"
)

// callCompare compares; it is false where a value is missing or of a type
// that the operator has no use for.
func callCompare(a ...any) (any, error) {
	op, x, y := a[1].(string), a[2], a[3]
	if x == nil || y == nil {
		return false, nil
	}
	switch op {
	case "==":
		return runtime.Equal(x, y), nil
	case "!=":
		return differ(x, y), nil
	case "in":
		return total(func() any { return runtime.In(x, y) }) == true, nil
	case "<":
		return total(func() any { return runtime.Less(x, y) }) == true, nil
	case ">":
		return total(func() any { return runtime.More(x, y) }) == true, nil
	case "<=":
		return total(func() any { return runtime.LessOrEqual(x, y) }) == true, nil
	case ">=":
		return total(func() any { return runtime.MoreOrEqual(x, y) }) == true, nil
	}
	s, ok1 := x.(string)
	p, ok2 := y.(string)
	if !ok1 || !ok2 {
		return false, nil
	}
	switch op {
	case "contains":
		return strings.Contains(s, p), nil
	case "startsWith":
		return strings.HasPrefix(s, p), nil
	case "endsWith":
		return strings.HasSuffix(s, p), nil
	}
	re, err := regexp.Compile(p)
	if err != nil {
		return false, err
	}
	return re.MatchString(s), nil
}

// callMath is arithmetic; its result is missing where an operand is no number.
func callMath(a ...any) (any, error) { return arithmetic(a[1].(string), a[2], a[3]), nil }

func arithmetic(op string, x, y any) any {
	return total(func() any {
		switch op {
		case "+":
			return runtime.Add(x, y)
		case "-":
			return runtime.Subtract(x, y)
		case "*":
			return runtime.Multiply(x, y)
		case "/":
			return runtime.Divide(x, y)
		case "%":
			return runtime.Modulo(x, y)
		case "**", "^":
			return runtime.Exponent(x, y)
		}
		return nil
	})
}

// total calls f and returns nil, a missing value, where it panics.
func total(f func() any) (v any) {
	defer func() {
		if recover() != nil {
			v = nil
		}
	}()
	return f()
}

// get is the member or element of a value, nil where there is none.
func get(from, key any) any {
	switch from := from.(type) {
	case map[string]any:
		name, _ := key.(string)
		return from[name]
	case commandView:
		return total(func() any { return runtime.Fetch(from, key) })
	case nil:
		return nil
	}
	if _, ok := key.(string); ok {
		return nil
	}
	return total(func() any { return runtime.Fetch(from, key) })
}

// callList makes what a predicate walks over: nothing where there is no list.
// That all or none of nothing fit would be no answer.
func callList(a ...any) (any, error) {
	switch v := a[2].(type) {
	case []any:
		return v, nil
	case []int:
		return boxed(v), nil
	case []string:
		return boxed(v), nil
	case []commandView:
		return boxed(v), nil
	}
	if name := a[1].(string); name == "all" || name == "none" {
		return nil, fmt.Errorf("%s: expected a list, got a %s", name, kind(a[2]))
	}
	return []any{}, nil
}

func boxed[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// callBuiltin calls a builtin of expr; its result is missing where it fails.
func callBuiltin(a ...any) (any, error) {
	i, ok := builtin.Index[a[1].(string)]
	if !ok {
		return nil, nil
	}
	fn, args := builtin.Builtins[i], a[2:]
	return total(func() any {
		switch {
		case fn.Fast != nil:
			return fn.Fast(args[0])
		case fn.Func != nil:
			if v, err := fn.Func(args...); err == nil {
				return v
			}
		case fn.Safe != nil:
			if v, _, err := fn.Safe(args...); err == nil {
				return v
			}
		}
		return nil
	}), nil
}

// kind names the type of a value for people.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "missing value"
	case string:
		return "string"
	case int, float64:
		return "number"
	case bool:
		return "boolean"
	case map[string]any:
		return "object"
	}
	return "list"
}
