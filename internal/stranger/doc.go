// Package stranger looks at the program as somebody does who has built a client with a mistake in it: the reference
// client is built with one small change at a time, judged by the built program, and what the program says is compared
// with a text that was read and found good.
//
// Each directory of testdata is one change: change.yaml says what is changed, which rules break for it, and how the
// judging is narrowed; console.golden is the block of the first of those rules. A change whose text is no longer in
// the client fails, so that none of them can go stale unseen.
//
// The room holds tests only. Clients that are wrong from the ground up belong in internal/defects, and what a report
// looks like in general is held in internal/report.
package stranger
