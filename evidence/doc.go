// Package evidence holds the recording of a run: what a subject was asked to do, every exchange on the wire with
// its times and bytes, every connection, and what each call returned, printed or left behind.
//
// The room holds the types of the recording, the recorder that fills them, their file form, and readers that say
// what an answer contains and what is wrong with it. It knows no rule, no scenario and no mock: judging evidence is
// the work of package suites, making it that of the runner and the mocks. It imports nothing of this module.
//
// Three habits run through all of it. Absent, null and zero are different facts and stay different (see Opt). Times
// are offsets from the start of the run, taken before and after a write where an obligation could hinge on it.
// Secrets handed out in a run are replaced by their names at the moment a byte is recorded, so that a rule, a report
// and a file all see the same bytes.
package evidence
