// Package authorcmd has the commands for whoever writes a policy: they open it
// as the hook command does, and show what it decides and what is wrong with
// it.
//
//	account   writes an event, its steps and the decision for people
//	report    writes what check has found
//
// Both programs have them. Where a policy wants a hook type that pawl does not
// link, pawld does the work in its place: with the same arguments, and before
// anything has been written.
package authorcmd
