// Package generate draws scenarios from the grammar of the contract: any mix of states, directions, budgets, statuses,
// wire faults and calls, the same for the same seed. It also makes a scenario that breaks a rule as small as it can be
// with the rule still broken.
//
// A scenario is drawn as the document that it would be in a file, so that one that shows something is kept as a file
// and read by people. The room makes and shrinks documents; what runs them is package runner and what judges them
// package suites.
package generate
