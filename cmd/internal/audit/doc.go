// Package audit keeps a log of decisions, one line of JSON each, and reads it.
//
//	record     one decision: what was asked, what was answered, which hooks ran
//	log        who appends records to a file, with other processes
//	secret     what must not get into the file: a token, a password, a key
//	Redactor   the rules that tell secrets; users add their own
//	rotation   the current file gets the name FILE.1, FILE.1 becomes FILE.2, …
//	torn line  one without its end, by a killed process or a full disk
//	Reader     reads all files of a log as one, and goes on as they grow
//
// Promises:
//
//  1. A line in the file is whole, however many processes and goroutines
//     append: each holds the lock of the file, flock, while it writes. So no
//     record is lost or doubled when the files are rotated.
//  2. A torn line costs nothing but itself. The next writer begins a line of
//     its own, and the Reader skips and counts it.
//  3. Append takes no longer than Options.Wait and the time for the rules,
//     whose input is bounded and which take linear time; behind a record that
//     is stuck it waits no time. A fault is returned once, and the record that
//     gets through after it says how many are missing.
//  4. What is hidden is hidden before anything is cut: of a text its first 1024
//     bytes are written, and a secret that begins there is told with the 2048
//     bytes that follow in sight. A line has at most MaxLine bytes.
//  5. Files are 0600 and the user's own, never behind a symbolic link;
//     directories that are made are 0700. A log takes no more than
//     Options.MaxSize times Options.Keep plus one, and a record; more only
//     where old files cannot be renamed, which is a fault that is told.
//  6. A record that Append has taken survives the end of the process, however
//     it ends. There is no fsync: what a power cut loses are the last seconds,
//     and an fsync would hold up each tool call for milliseconds.
//  7. A Log and a Redactor may be used by any number of goroutines, a Reader
//     by one. None keeps what it is given.
//
// The order of records is that of the file. Their ids rise within a process.
// The system needs flock; elsewhere Append fails with errors.ErrUnsupported.
package audit
