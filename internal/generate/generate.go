package generate

import (
	"fmt"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// Scenario is a scenario that was drawn.
type Scenario struct {
	Case scenarios.Case
	doc  object
}

// Draw draws the n-th scenario of a seed: always the same. An error is a mistake of this package.
func Draw(seed uint64, n int) (Scenario, error) {
	doc := document(seed, n)
	file, err := scenarios.Parse(Name(seed, n)+".yaml", write(doc))
	if err != nil {
		return Scenario{}, fmt.Errorf("read what was drawn with seed %d as number %d: %w", seed, n, err)
	}
	return Scenario{Case: file.Cases(evidence.ClockVirtual)[0], doc: doc}, nil
}

// YAML is the scenario as a file.
func (s Scenario) YAML() []byte { return write(s.doc) }

// Named is the scenario as a file of another name.
func (s Scenario) Named(name string) []byte {
	doc := slices.Clone(s.doc)
	for i := range doc {
		if doc[i].key == "scenario" {
			doc[i].value = plain(name)
		}
	}
	return write(doc)
}

// mostTries bounds how many smaller scenarios are tried: each is a run.
const mostTries = 2000

// Shrink takes parts away for as long as still says of what is left that it shows the same, and returns what is left
// when no part can be spared. The result is a scenario that loads without a problem.
func Shrink(s Scenario, still func(scenarios.Case) bool) Scenario {
	tries := 0
	for {
		smaller, ok := s.smaller(still, &tries)
		if !ok {
			return s
		}
		s = smaller
	}
}

// smaller returns the scenario less the largest part that it can spare.
func (s Scenario) smaller(still func(scenarios.Case) bool, tries *int) (Scenario, bool) {
	for _, doc := range without(s.doc) {
		*tries++
		if *tries > mostTries {
			break
		}
		file, err := scenarios.Check(s.Case.ID+".yaml", write(doc), scenarios.Options{})
		if err != nil {
			continue // that part is needed for it to be a scenario
		}
		less := Scenario{Case: file.Cases(evidence.ClockVirtual)[0], doc: doc}
		if still(less.Case) {
			return less, true
		}
	}
	return s, false
}
