// Package enginetest holds conformance suites for people who write parts of
// an engine. Each rule of a suite says why it exists when it is broken.
//
//	TestAction  what every hook.Action must keep to
//
// Run the suites with -race: some rules are about concurrent use.
package enginetest
