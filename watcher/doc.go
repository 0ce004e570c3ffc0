// Package watcher calls a target's Reload when the files that it depends on
// have changed and settled.
//
//	w, err := watcher.New(eng, watcher.WithObserver(report))
//	go w.Run(ctx)
//
// It knows files and two methods, so that it serves whatever has Sources and
// Reload; an engine of Pawl is one.
//
//	target    what is kept up to date
//	source    a file or a directory that the target depends on, also a missing one
//	look      one pass over all sources
//	mark      what a source looks like: where its path leads, mode, SHA-256 of what it holds
//	change    a mark that differs from the one that the last Reload was called for
//	event     what the system tells of a watched directory: a reason to look, never more
//	quiet     how long nothing must happen before a change counts as finished: 100 ms
//	ceiling   how long a change is waited for at most: 2 s
//	polling   looking at an interval, where not every directory can be watched
//	recheck   the slow look that is taken anyway: every 10 s
//
// Watched are directories: those of the sources, those of all links on the
// way to them, the last one there is on the way to a missing one, and sources
// that are directories. Such a source holds names with their types, not what
// is in its files: these are sources themselves, or do not count. What is
// moved or swapped further up makes no event and waits for the recheck, as do
// changes that others make on a network file system.
//
// Of a file, the first 4 MiB are read; what lies beyond is told by its size
// and time. Pipes, sockets and devices are never opened.
//
// Promises:
//
//  1. Run begins with one Reload without names, "look at everything", so that
//     nothing is lost between the loading of the target and Run. Whatever
//     changes afterwards is followed by a Reload that begins after the change.
//  2. There is no Reload without a change. Times alone are none, nor is an
//     equal file in the place of a file. But a source counts as changed if it
//     is new in Sources, or was replaced or written to while Reload ran:
//     nobody knows what Reload saw of it.
//  3. A file is not taken while it is written to, up to the ceiling. A source
//     that is gone or was emptied is given as long to come back. Where the
//     system can say whether somebody has a file open for writing (Linux, the
//     user's own files), a writer that pauses is waited for too.
//  4. Sources, Reload and the observer are called by the goroutine of Run, one
//     at a time. Sources that Reload refused are named again to the next one.
//  5. Where a watch limit is reached, a directory cannot be read or the system
//     has no events, Run polls, and goes back to events when it can. It tells
//     the observer of both; the package prints nothing.
//  6. Run ends soon after its context: after the file that is being read, or
//     the Reload that is running. No goroutine, watch or file outlives it.
//  7. Memory grows with the number of sources and with nothing else: neither
//     with the size of files or directories nor with the number of events.
package watcher
