// Package store keeps what must outlive a dispatch: which hooks have run
// once, counters, the state of scripts, wakes. Memory keeps it as long as the
// process lives; package disk, apart so that embedders do not link it, for
// all processes of one user.
//
//	key    session, kind and name of one value (hook.StateKey)
//	value  bytes that belong to the caller; the store does not read them
//	ttl    after this time without an update a value is forgotten
//	sweep  the removal of forgotten values, a few at each update
//
// Promises, of every hook.State here:
//
//  1. Update is atomic for its key: no update of another is lost, and a func
//     that panics changes nothing.
//  2. Different keys do not wait for each other.
//  3. A value that is there but cannot be read is an error, not an absent
//     value: a counter that guards something must not start again at nothing.
//  4. The bytes handed to a func are its own, and so are those it returns
//     until it returns them.
package store

import "time"

// DefaultTTL is how long a value is kept where Update is not told: 30 days.
const DefaultTTL = 30 * 24 * time.Hour

// Expiry is when a value that is updated now is forgotten.
func Expiry(now time.Time, ttl time.Duration) time.Time {
	if ttl <= 0 {
		ttl = DefaultTTL
	}
	return now.Add(ttl)
}
