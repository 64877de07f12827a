package suites

import "github.com/a2a-conform/a2a-conform/evidence"

// Contract names the text that the rules judge, and the date of its last amendment.
func Contract() evidence.Contract {
	return evidence.Contract{ID: "ADR-0029", Revision: "2026-10-11"}
}
