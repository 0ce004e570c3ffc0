package lua

import (
	"math"
	"time"

	glua "github.com/yuin/gopher-lua"
)

func timeGroup() group {
	return group{name: "time", doc: "the clock of the engine; times are seconds since 1970", functions: []function{
		{"date", "(seconds?: number, zone?: 'local'|'utc'): table", "{year, month, day, hour, minute, second, weekday, yearday}; weekday 1 is Monday", timeDate},
		{"format", "(seconds?: number): string", "RFC 3339 in UTC", timeFormat},
		{"now", "(): number", "the current time", timeNow},
		{"parse", "(text: string): number?", "the time of an RFC 3339 text", timeParse},
	}}
}

// moment is an optional argument in seconds.
func moment(L *glua.LState, doing string) time.Time {
	if L.Get(1) == glua.LNil {
		return of(L).runtime.opts.Now()
	}
	whole, part := math.Modf(float64(L.CheckNumber(1)))
	if !(math.Abs(whole) < 1e11) {
		L.RaiseError("%s: %v seconds are out of range", doing, whole)
	}
	return time.Unix(int64(whole), int64(part*1e9))
}

func timeNow(L *glua.LState) int {
	L.Push(glua.LNumber(float64(of(L).runtime.opts.Now().UnixMilli()) / 1000))
	return 1
}

func timeFormat(L *glua.LState) int {
	L.Push(glua.LString(moment(L, "time.format").UTC().Format(time.RFC3339)))
	return 1
}

func timeParse(L *glua.LState) int {
	t, err := time.Parse(time.RFC3339, L.CheckString(1))
	if err != nil {
		L.Push(glua.LNil)
		return 1
	}
	L.Push(glua.LNumber(float64(t.UnixMilli()) / 1000))
	return 1
}

func timeDate(L *glua.LState) int {
	t := moment(L, "time.date")
	switch zone := L.OptString(2, "local"); zone {
	case "utc":
		t = t.UTC()
	case "local":
		t = t.Local()
	default:
		L.RaiseError("time.date: expected local or utc, got %q", clip(zone, 20))
	}
	s := of(L)
	s.charge(L, costTable+8*costKey)
	d := L.CreateTable(0, 8)
	set := func(name string, n int) { d.RawSetString(name, glua.LNumber(n)) }
	set("year", t.Year())
	set("month", int(t.Month()))
	set("day", t.Day())
	set("hour", t.Hour())
	set("minute", t.Minute())
	set("second", t.Second())
	set("weekday", (int(t.Weekday())+6)%7+1)
	set("yearday", t.YearDay())
	L.Push(d)
	return 1
}
