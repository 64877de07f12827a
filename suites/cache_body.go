package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func cache10() Rule {
	return Rule{
		ID: "CACHE-10", Level: Must, Sides: []Side{Client, Command}, Section: "Caching",
		Obligation: "send an equal JSON body with and without a cache, for equal input and message id",
		Cause:      "A value that came with the access goes into the body, or the path of a cached call builds a body of its own.",
		Right:      "Two calls with the same text and id send equal bodies, the first after a resolve and the second on cached access.",
		Wrong:      "The body of the call on cached access has no configuration.",
		Judge: func(c *Call, j *Judgement) {
			if _, given := c.givenID(); !given || len(c.Sends) == 0 {
				return
			}
			for _, other := range c.Run.Calls {
				if other.Number < c.Number && len(other.Sends) > 0 && sameInput(c, other) && c.Input.MessageID == other.Input.MessageID {
					judgeSameBody(j, other.Sends[0], c.Sends[0], fmt.Sprintf("the body differs from that of call %d, which had the same input", other.Number))
				}
			}
		},
	}
}

// sameInput tells whether two sends were asked for the same, their message ids and timeouts aside.
func sameInput(a, b *Call) bool {
	same := a.Op == evidence.CallSend && b.Op == evidence.CallSend && a.Session == b.Session && a.Kind() == b.Kind() && a.strict() == b.strict() &&
		a.Input.Message == b.Input.Message && a.Input.JSONRepairAttempts == b.Input.JSONRepairAttempts
	return same && slices.Equal(a.Files, b.Files)
}

// judgeSameBody judges that two sends have equal bodies as JSON values. Documented optional members that are null in one
// and absent in the other are an observation.
func judgeSameBody(j *Judgement, first, second *Exchange, seen string) {
	a, b := first.Body(), second.Body()
	if !first.bodyKept() || !second.bodyKept() {
		return
	}
	switch {
	case evidence.Equal(a.Body, b.Body):
		j.Pass()
	case evidence.Equal(withoutMessageNulls(a.Body), withoutMessageNulls(b.Body)):
		j.Observe("documented optional members are null in one of the two bodies, and absent in the other", first, second)
	default:
		j.Fail(seen+": "+clip(strings.Join(evidence.Diff(a.Body, b.Body), "; "), 300), "an equal JSON body", first, second)
	}
}

// bodyKept tells whether the body of a request was received to its end and stands in the evidence.
func (x *Exchange) bodyKept() bool {
	return x.BodyRead != nil && (x.Request.Body.Bytes != nil || x.Request.Body.Size == 0)
}

// withoutMessageNulls is the body of a send without the optional members of its message that are null.
func withoutMessageNulls(body *evidence.Value) *evidence.Value {
	message := withoutNulls(body.Member("message"))
	tree, _ := evidence.ReadJSON([]byte(objectWithout(body, map[string]string{"message": string(message.Raw())})))
	return tree
}
