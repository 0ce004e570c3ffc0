package rules

import (
	"fmt"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm/runtime"
)

// natives are the hidden functions that lowering writes into a condition.
func natives() []expr.Option {
	return []expr.Option{
		expr.Function("__test", callTest, new(func(*run, int) bool)),
		expr.Function("__word", callWord, new(func(*run, int, any) bool)),
		expr.Function("__env", callEnv, new(func(*run, string) string)),
		expr.Function("__tick", callTick, new(func(*run) bool)),
		expr.Function("__field", callField, new(func(*run, string) string)),
		expr.Function("__commands", func(a ...any) (any, error) { return a[0].(*run).commands(), nil }, new(func(*run) []commandView)),
		expr.Function("__add", callAdd, new(func(*run, any, any) any)),
		expr.Function("__range", callRange, new(func(*run, any, any) []int)),
		expr.Function("__differ", func(a ...any) (any, error) { return differ(a[1], a[2]), nil }, new(func(*run, any, any) bool)),
		expr.Function("__same", func(a ...any) (any, error) { return same(a[1], a[2]), nil }, new(func(*run, any, any) bool)),
		expr.Function("__compare", callCompare, new(func(*run, string, any, any) bool)),
		expr.Function("__math", callMath, new(func(*run, string, any, any) any)),
		expr.Function("__true", func(a ...any) (any, error) { return a[1] == true, nil }, new(func(*run, any) bool)),
		expr.Function("__get", func(a ...any) (any, error) { return get(a[1], a[2]), nil }, new(func(*run, any, any) any)),
		expr.Function("__list", callList, new(func(*run, string, any) []any)),
		expr.Function("__call", callBuiltin, new(func(*run, string, ...any) any)),
	}
}

func callTest(a ...any) (any, error) {
	r := a[0].(*run)
	why := ""
	t := r.cond.tests[a[1].(int)].eval(r.facts, &why)
	return r.answer(t, why), nil
}

// callWord matches a scalar; anything else does not fit.
func callWord(a ...any) (any, error) {
	r, w := a[0].(*run), &a[0].(*run).cond.words[a[1].(int)]
	s, ok := scalar(a[2])
	if !ok {
		return false, nil
	}
	t := w.match(s)
	return r.answer(t, w.name+[...]string{" does not fit ", " took too long on ", " fits "}[t]+cut(s, 100)), nil
}

func callEnv(a ...any) (any, error) {
	r, name := a[0].(*run), a[1].(string)
	if r.facts.Event.Env != nil {
		v, _ := r.facts.Event.LookupEnv(name)
		return v, nil
	}
	v, _ := r.cond.scope.env(name)
	return v, nil
}

func callTick(a ...any) (any, error) { return true, a[0].(*run).tick() }

// callAdd adds numbers and joins texts up to a limit. Anything else is
// missing.
func callAdd(a ...any) (any, error) {
	if x, ok := a[1].(string); ok {
		y, ok := a[2].(string)
		switch {
		case !ok:
			return nil, nil
		case len(x)+len(y) > maxString:
			return nil, fmt.Errorf("+ makes a text longer than %d bytes", maxString)
		}
		return x + y, nil
	}
	return arithmetic("+", a[1], a[2]), nil
}

// callRange is the list a..b; it is empty where one of them is no integer.
func callRange(a ...any) (any, error) {
	from, ok1 := a[1].(int)
	to, ok2 := a[2].(int)
	if !ok1 || !ok2 || to < from {
		return []int{}, nil
	}
	if to-from >= maxRange || to-from < 0 {
		return nil, fmt.Errorf("%d..%d has more than %d numbers", from, to, maxRange)
	}
	return runtime.MakeRange(from, to), nil
}

// differ is a != b, which is false where one of them is missing.
func differ(a, b any) bool {
	return a != nil && b != nil && !runtime.Equal(a, b)
}

// same is a == b, which is false where both are missing.
func same(a, b any) bool {
	return a != nil && b != nil && runtime.Equal(a, b)
}
