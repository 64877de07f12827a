// Package suites is the oracle: the rules of ADR 0029, one value each, as pure functions of evidence.
//
// A rule is found by its id: FLOW-06 stands in flow.go or, where a chapter is split by topic, in flow_*.go. What
// every rule needs to know (who sent what when, on which admission, within which budget) is derived once per run in
// view.go, so that a hundred rules do not each derive it differently.
//
// No rule knows a scenario, a mock, a subject or a clock: if one seems to need that, the evidence lacks a fact. What
// does not apply to a run yields no check. The room imports evidence and nothing else of this module.
package suites
