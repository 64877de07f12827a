// Package scenarios is the format in which a run is described: what the subject is asked to do, and what the servers
// answer. It loads files, checks them (every problem of every file at once, with its place) and expands them into
// cases.
//
// The room holds the format, its schema, its checks, and the scenarios that ship with the program (data/). A scenario
// stimulates and never judges: nothing here knows how a rule decides, only the ids of the rules that a file says it
// exercises.
package scenarios
