package cli

import (
	"strconv"
	"strings"
)

// notJudged is said of what notJudgedYet finds.
const notJudged = "is part of the catalogue and not judged by this version"

// notJudgedYet tells whether the catalogue has a chapter or a rule, by its id in capitals, that this version cannot
// judge. Whoever met it in the decisions is not told that there is no such thing.
func notJudgedYet(id string) bool {
	last := map[string]int{"PLAT": 11, "RUN": 13} // the number of each one's last rule
	chapter, number, one := strings.Cut(id, "-")
	if last[chapter] == 0 || !one {
		return last[chapter] > 0
	}
	n, err := strconv.Atoi(number)
	return err == nil && len(number) == 2 && n >= 1 && n <= last[chapter]
}
