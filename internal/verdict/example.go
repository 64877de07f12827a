package verdict

import (
	"math"
	"strings"

	"github.com/a2a-conform/a2a-conform/scenarios"
)

// Example returns the index of the check that shows best what is wrong, of checks that one rule failed: that of the
// plain success case, where nothing distracts, or else the one with the shortest time-line. The list must not be empty.
func Example(found []CheckResult) int {
	best, fewest := 0, math.MaxInt
	for i := range found {
		if found[i].Scenario == scenarios.Control {
			return i
		}
		if rows := strings.Count(found[i].Seen, "\n"); found[i].Seen != "" && rows < fewest {
			best, fewest = i, rows
		}
	}
	return best
}
