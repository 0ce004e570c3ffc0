// Package logview is the subcommand that shows the log of decisions: as a
// table, as the lines of the file, or counted.
//
//	filter   which records are wanted
//	table    a line for each decision, and below it what made it
//	spread   durations, in buckets
//	stats    how often each hook fired, what it said and how slow it was
//
// Promises:
//
//  1. Memory does not grow with the log: it holds the records that -n asks
//     for, and counts at most 1000 hooks one by one.
//  2. What comes from the log is escaped before it reaches a terminal, and a
//     line of the table fits its width. --json prints the bytes of the file.
//  3. --follow shows every record once and in order, also when the files are
//     rotated, and looks four times a second.
//
// A Command is called once.
package logview
