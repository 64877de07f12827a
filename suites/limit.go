package suites

import (
	"net/http"
	"regexp"
	"strings"
)

// limitRules are the rules of this chapter: the platform's Message limit.
func limitRules() []Rule {
	return []Rule{lim01(), lim02(), lim03(), lim04(), lim05(), lim06(), lim07(), lim08(), lim09(), lim10(), lim11(), lim12()}
}

// typedErrors is what a client needs to let its caller tell errors apart by their types.
const typedErrors = "typed_errors"

// limitReading tells how an answer stands to the Message limit.
type limitReading int

// An answer is not the limit, is exactly the documented one, or is the limit but for something on which clients may
// differ: another media type, a detail without @type, a code that is not the status.
const (
	notLimit limitReading = iota
	oddLimit
	exactLimit
)

// limit reads an answer as the Message limit, and says what is odd about it.
func (x *Exchange) limit() (limitReading, string) {
	info := x.ErrorInfo()
	if x.Status() != http.StatusGatewayTimeout || !x.Whole() || !info.LimitExceeded && !info.LimitUntyped {
		return notLimit, ""
	}
	essence, _, _ := strings.Cut(x.Response.Header.Get("Content-Type"), ";")
	code, _ := info.Code.Int()
	switch {
	case info.LimitUntyped:
		return oddLimit, "its detail has no @type"
	case !isMediaType(essence):
		return oddLimit, "its media type is " + quote(essence)
	case code != http.StatusGatewayTimeout:
		return oddLimit, "the code in its body is " + said(info.Code)
	case !info.StatusWord.TextEquals("DEADLINE_EXCEEDED"):
		return oddLimit, "the status in its body is " + said(info.StatusWord)
	case len(info.Problems) > 0:
		return oddLimit, "its body has " + info.Problems[0].String()
	default:
		return exactLimit, ""
	}
}

// reachedLimit returns the conclusion of a direct Message where it is exactly the documented answer of the limit.
func (c *Call) reachedLimit() *Exchange {
	x := c.conclusion()
	if x == nil || !c.Message() {
		return nil
	}
	if reading, _ := x.limit(); reading != exactLimit {
		return nil
	}
	return x
}

// namesTaskMode tells whether a text says that a limit ended the wait and names the response kind task by the client's
// own argument, in any spelling of it (ADR, Message limit).
func namesTaskMode(text string) bool {
	return saysLimit.MatchString(text) && namesKind.MatchString(text) && saysTask.MatchString(text)
}

// The words are English ones of the contract, their order and spelling free.
var (
	saysLimit = regexp.MustCompile(`(?i)limit|within\s+\S*\d`)
	namesKind = regexp.MustCompile(`(?i)response[-_ ]?kind`)
	saysTask  = regexp.MustCompile(`(?i)task`)
)
