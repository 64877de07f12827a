package script

import (
	"fmt"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Miss tells why no step takes a request: the nearest step, and why it does not fit.
type Miss struct {
	Op evidence.Op
	// Steps counts the steps of the operation.
	Steps int
	// Line is the place of the nearest step in the file, 0 where the operation has no step.
	Line int
	// Why are the reasons for which the nearest step does not fit.
	Why []string
	// open tells that the nearest step is not used up: such a one is nearer than any that is.
	open bool
}

// spent notes a step that is used up. The last one of them is the nearest.
func (m *Miss) spent(st *step, why string) {
	if !m.open {
		m.Line, m.Why = st.Line, []string{why}
	}
}

// unmet notes a step whose condition does not hold. The first one with the fewest reasons is the nearest.
func (m *Miss) unmet(st *step, reasons []string) {
	if !m.open || len(reasons) < len(m.Why) {
		m.Line, m.Why, m.open = st.Line, reasons, true
	}
}

// String says it in a sentence.
func (m *Miss) String() string {
	switch {
	case m.Steps == 0:
		return fmt.Sprintf("the scenario has no step for %s", m.Op)
	case !m.open:
		return fmt.Sprintf("every step of %s is used up; the last, in line %d: %s", m.Op, m.Line, strings.Join(m.Why, "; "))
	default:
		return fmt.Sprintf("no step of %s takes this request; the nearest is that of line %d, but %s", m.Op, m.Line, strings.Join(m.Why, "; "))
	}
}
