package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// didYouMean is `, did you mean "x"?` for the known word that is nearest to what was written, or nothing where none is
// near enough to be a slip of the hand.
func didYouMean(written string, known []string) string {
	best, bestDistance := "", len(written)/3+1
	for _, word := range slices.Sorted(slices.Values(known)) {
		distance := editDistance(strings.ToLower(written), strings.ToLower(word))
		if len(written) > 3 && strings.HasPrefix(word, written) {
			distance = 1 // the beginning of a word means that word, however much is missing
		}
		if distance < bestDistance {
			best, bestDistance = word, distance
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

// guess is didYouMean or, where nothing is near, the list of what there is.
func guess(written string, known []string) string {
	if meant := didYouMean(written, known); meant != "" {
		return meant
	}
	return "; known are " + strings.Join(known, ", ")
}

// editDistance counts the letters to add, drop, change or swap with a neighbour to come from a to b.
func editDistance(a, b string) int {
	from, to := []rune(a), []rune(b)
	if len(from) > 64 || len(to) > 64 {
		return 64
	}
	var before []int
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i := range from {
		next := make([]int, len(to)+1)
		next[0] = i + 1
		for j := range to {
			cost := 1
			if from[i] == to[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && from[i] == to[j-1] && from[i-1] == to[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(to)]
}

// quoteAll lists words as `"a", "b", "c"`.
func quoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = fmt.Sprintf("%q", word)
	}
	return strings.Join(quoted, ", ")
}
