package defects

import (
	"fmt"
	"maps"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// failure is every error of the client.
type failure struct {
	category     evidence.Category
	text         string
	status       int
	state        string
	limitSeconds *float64
}

// fail makes a failure of a kind.
func fail(category evidence.Category, format string, args ...any) *failure {
	return &failure{category: category, text: fmt.Sprintf(format, args...)}
}

// in adds the state of the runtime.
func (f *failure) in(state string) *failure {
	f.state = state
	return f
}

// seen is the failure as its caller sees it.
func (f *failure) seen() *evidence.Error {
	e := &evidence.Error{
		Category: f.category, Is: []evidence.Category{f.category}, Name: string(f.category) + "_error", Bases: []string{"client_error"},
		Text: f.text, LimitSeconds: f.limitSeconds,
	}
	if f.category == evidence.MessageLimit {
		e.Is = append(e.Is, evidence.ServerFailed)
		e.Bases = []string{string(evidence.ServerFailed) + "_error", "client_error"}
	}
	if f.status != 0 {
		e.Status = &f.status
	}
	if f.state != "" {
		e.State = &f.state
	}
	return e
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
