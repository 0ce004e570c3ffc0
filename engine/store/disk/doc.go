// Package disk is a hook.State in a directory, shared by all processes of
// one user: hook commands are many and short.
//
//	DIR/<sha256 of the key>       the value, and the lock of its key
//	DIR/<sha256 of the key>.new   the next value while it is written
//
// A value file is a line with the format, the expiry and a checksum, then the
// value. It is never written: the next value is written beside it, synced,
// and renamed over it, so that a process killed at any point leaves the old
// value or the new one. The lock is a flock on the value file; who gets it
// makes sure that the file still has its name. A file without content is a
// lock without a value.
//
// Promises, beside those of package store:
//
//  1. An update excludes all others of its key, between goroutines and
//     between processes. The lock of a process that died is free.
//  2. Waiting for a lock ends with the context.
//  3. The directory is the user's own and closed to others (0700), the files
//     are 0600 and not symbolic links; anything else is an error.
//  4. A file whose checksum is wrong is an error that names it.
//  5. The name of a file tells nothing of its key.
//
// A func given to Update must not update the same key: it would wait for
// itself. The system needs flock; elsewhere Open returns errors.ErrUnsupported.
package disk
