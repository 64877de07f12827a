// Package verdict turns checks into a result: a status for each rule, one verdict, one exit code and the reason for
// it.
//
// The room holds the result's types and its arithmetic, a pure function of a session, its checks and its faults. How
// a check comes about is the work of suites, how a result looks that of report.
package verdict
