package lua

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/pawl-dev/pawl/engine/hook"
)

const (
	maxStateKey   = 256      // bytes
	maxStateValue = 64 << 10 // bytes as JSON
	maxTTL        = 30 * 24 * time.Hour
)

func stateGroup() group {
	options := "options?: {ttl?: number, scope?: 'session'|'all'}"
	return group{name: "state", doc: "what outlives a call: values of this policy file, by session or for all of them", functions: []function{
		{"get", "(key: string, " + options + "): any", "the value, or nil", stateGet},
		{"set", "(key: string, value: any, " + options + ")", "keeps a value; ttl in seconds", stateSet},
		{"incr", "(key: string, by?: number, " + options + "): number", "adds to a number, atomically, and returns it; its ttl runs from the first call", stateIncr},
		{"delete", "(key: string, " + options + ")", "forgets the value", stateDelete},
	}}
}

// slot is where one call of state.* stores.
type slot struct {
	s     *state
	L     *glua.LState
	key   hook.StateKey
	ttl   time.Duration
	doing string
}

func openSlot(L *glua.LState, doing string, options int) *slot {
	s, key := of(L), L.CheckString(1)
	if s.event == nil && s.point == (point{}) {
		L.RaiseError("%s: only while an event is handled", doing)
	}
	if s.runtime.opts.State == nil {
		L.RaiseError("%s: not available here", doing)
	}
	if key == "" || len(key) > maxStateKey {
		L.RaiseError("%s: a key of %d bytes, the limit is %d", doing, len(key), maxStateKey)
	}
	s.step(L, 1000, doing) // a store may be slow: a loop of calls has an end
	k := &slot{s: s, L: L, doing: doing, key: hook.StateKey{Session: s.session, Kind: TypeName, Name: s.current.unit.identity() + "\x00" + key}}
	t, ok := L.Get(options).(*glua.LTable)
	if !ok {
		if L.Get(options) != glua.LNil {
			L.RaiseError("%s: expected options such as {ttl = 3600}, got a %s", doing, typeName(L.Get(options)))
		}
		return k
	}
	for name, v := t.Next(glua.LNil); name != glua.LNil; name, v = t.Next(name) {
		k.option(name.String(), v)
	}
	return k
}

func (k *slot) option(name string, v glua.LValue) {
	switch name {
	case "ttl":
		n, ok := v.(glua.LNumber)
		if !ok || !(n > 0 && n <= glua.LNumber(maxTTL/time.Second)) {
			k.L.RaiseError("%s: ttl is a number of seconds above 0, at most 30 days", k.doing)
		}
		k.ttl = time.Duration(float64(n) * float64(time.Second))
	case "scope":
		switch v.String() {
		case "session":
		case "all":
			k.key.Session = ""
		default:
			k.L.RaiseError("%s: scope is session or all", k.doing)
		}
	default:
		k.L.RaiseError("%s: unknown option %q (%s)", k.doing, name, "ttl and scope are known")
	}
}

// identity keeps the values of one policy apart from those of another.
func (u *unit) identity() string {
	if u.path != "" {
		return u.path
	}
	return strings.Join([]string{u.source.String(), u.source.File, u.name}, "\x00")
}

// A stored value is the time of its end in milliseconds, a colon, and JSON:
// the store itself counts from its last update, and reading is one.

func (k *slot) seal(end int64, raw []byte) []byte {
	return append(strconv.AppendInt(nil, end, 10), append([]byte{':'}, raw...)...)
}

// unseal returns a stored value and its end, or nil where its time is over.
func (k *slot) unseal(stored []byte) (raw []byte, end int64) {
	before, after, ok := bytes.Cut(stored, []byte{':'})
	end, err := strconv.ParseInt(string(before), 10, 64)
	if !ok || err != nil || end <= k.s.runtime.opts.Now().UnixMilli() {
		return nil, 0
	}
	return after, end
}

// end is when a value that is made now ends.
func (k *slot) end() int64 {
	ttl := k.ttl
	if ttl == 0 {
		ttl = maxTTL
	}
	return k.s.runtime.opts.Now().Add(ttl).UnixMilli()
}

// update replaces the stored bytes. f must not raise: it runs in the store.
func (k *slot) update(f func(stored []byte) []byte) {
	if err := k.s.runtime.opts.State.Update(k.s.Context, k.key, maxTTL, f); err != nil {
		k.s.check(k.L, k.doing)
		k.L.RaiseError("%s: %s", k.doing, err.Error())
	}
}

func stateGet(L *glua.LState) int {
	k := openSlot(L, "state.get", 2)
	var found []byte
	k.update(func(stored []byte) []byte {
		raw, _ := k.unseal(stored)
		if found = bytes.Clone(raw); found == nil {
			return nil
		}
		return stored
	})
	if found == nil {
		L.Push(glua.LNil)
		return 1
	}
	L.Push(k.s.decode(L, found, k.doing))
	return 1
}

func stateSet(L *glua.LState) int {
	k, v := openSlot(L, "state.set", 3), L.Get(2)
	if v == glua.LNil {
		L.RaiseError("state.set: no value; state.delete forgets one")
	}
	raw := k.s.encode(L, v, k.doing)
	if len(raw) > maxStateValue {
		L.RaiseError("state.set: a value of %d bytes, the limit is %d", len(raw), maxStateValue)
	}
	k.update(func([]byte) []byte { return k.seal(k.end(), raw) })
	return 0
}

func stateDelete(L *glua.LState) int {
	openSlot(L, "state.delete", 2).update(func([]byte) []byte { return nil })
	return 0
}

// stateIncr adds to a number. Its time runs from the first call, so that
// {ttl = 3600} counts by the hour.
func stateIncr(L *glua.LState) int {
	by := 1.0
	at := 2
	if L.Get(2).Type() != glua.LTTable && L.Get(2) != glua.LNil {
		by = float64(L.CheckNumber(2))
	}
	if L.Get(2).Type() != glua.LTTable {
		at = 3
	}
	k := openSlot(L, "state.incr", at)
	if math.IsNaN(by) || math.Abs(by) > maxExact {
		L.RaiseError("state.incr: %v cannot be added exactly", by)
	}
	var sum float64
	number := true
	k.update(func(stored []byte) []byte {
		raw, end := k.unseal(stored)
		old := 0.0
		if number = true; raw == nil {
			end = k.end()
		} else if f, err := strconv.ParseFloat(string(raw), 64); err == nil {
			old = f
		} else {
			number = false
			return stored
		}
		sum = old + by
		return k.seal(end, strconv.AppendFloat(nil, sum, 'f', -1, 64))
	})
	if !number {
		L.RaiseError("state.incr: the value is no number")
	}
	L.Push(glua.LNumber(sum))
	return 1
}
