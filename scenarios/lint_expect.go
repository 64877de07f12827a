package scenarios

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// outcomes are what may come of a call: a result, or a category of errors of the driver protocol.
func outcomes() []string {
	words := []string{string(evidence.OutcomeMessage), string(evidence.OutcomeTask)}
	for _, category := range []evidence.Category{
		evidence.NotReady, evidence.Blocked, evidence.TimedOut, evidence.MessageLimit, evidence.ServerFailed, evidence.Unauthorized,
		evidence.Rejected, evidence.InvalidResponse, evidence.InvalidArgument, evidence.Transport, evidence.NotAdvertised, evidence.Other,
	} {
		words = append(words, string(category))
	}
	return words
}

// expectations checks that the results which a file names are those of its calls.
func (l lint) expectations() {
	result := l.root.get("expect").get("result")
	if result == nil || result.get("is") != nil {
		return
	}
	var ids []string
	for _, call := range allCalls(l.made.Calls) {
		ids = append(ids, call.ID)
	}
	for _, m := range result.members {
		if !slices.Contains(ids, m.key) {
			l.c.addf(m.keyAt, "no call has the id %q%s", shorten(m.key, 40), guess(m.key, ids))
		}
	}
}
