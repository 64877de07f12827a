package suites

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func resp13() Rule {
	return Rule{
		ID: "RESP-13", Level: Observe, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "make what it likes of 201, 202, 204, other media types, duplicate keys, and wrong-case keys below the top level; it is noted",
		Cause:      "The contract does not speak of these, and clients differ.",
		Right:      "The answer comes with status 201 and the call returns it, or ends with an error.",
		Wrong:      "Nothing here is wrong.",
		Judge: func(c *Call, j *Judgement) {
			x := c.conclusion()
			if x == nil || !c.Message() || x.Status() < 200 || x.Status() > 299 {
				return
			}
			if odd := x.oddAnswer(); odd != "" {
				j.Observe("the answer "+odd+", and "+c.Ending(), x)
			}
		},
	}
}

// oddAnswer says what about an answer the contract leaves open, empty for nothing.
func (x *Exchange) oddAnswer() string {
	if odd := x.oddHead(); odd != "" {
		return odd
	}
	for _, p := range x.Answer().Problems {
		if p.Kind == evidence.ProblemDuplicate {
			return "has a duplicate key: " + p.String()
		}
	}
	for _, name := range []string{"messageId", "role", "contextId", "parts"} {
		if seen, ok := x.Answer().Message.WrongCase(name); ok {
			return "writes " + name + " as " + seen
		}
	}
	return ""
}

// oddHead says what about the head of an answer the contract leaves open, empty for nothing.
func (x *Exchange) oddHead() string {
	if x.Status() != http.StatusOK {
		return fmt.Sprintf("has status %d", x.Status())
	}
	values := x.Response.Header.Values("Content-Type")
	if len(values) != 1 {
		return fmt.Sprintf("has %d Content-Type headers", len(values))
	}
	essence, _, _ := strings.Cut(values[0], ";")
	if !isMediaType(essence) && !strings.EqualFold(strings.TrimSpace(essence), "application/json") {
		return "has the media type " + quote(values[0])
	}
	return ""
}

func resp14() Rule {
	return Rule{
		ID: "RESP-14", Level: Should, Sides: []Side{Client}, Section: "Message limit", Needs: []string{typedErrors},
		Obligation: "map an ordinary error status to its ordinary typed error, with status and server's words",
		Cause:      "Every failure becomes one error with a text of its own, and status and cause are lost.",
		Right:      `A 409 with {"detail": "…"} ends the call with the error for 4xx, its status 409 and the detail in its text.`,
		Wrong:      "A 409 ends the call with an error that says \"request failed\".",
		Judge: sending(func(c *Call, j *Judgement) {
			x := c.conclusion()
			if x == nil || !c.Told() || len(c.Sends) == 1 && x.Rejected() {
				return
			}
			want, ok := ordinaryCategory(x.Status())
			if !ok {
				return
			}
			e := c.Err()
			answered := fmt.Sprintf("the send was answered %d, and ", x.Status())
			switch words := x.ErrorInfo().Words(); {
			case !isKind(e, want):
				j.Fail(answered+c.Ending(), "an error of the kind "+string(want), x)
			case e.Status == nil || *e.Status != x.Status():
				j.Fail(answered+"the error does not carry that status", fmt.Sprintf("the error's status is %d", x.Status()), x)
			// A rejection is told by its status alone (AUTH-13), and nobody has to wait for what stands in it (AUTH-14).
			case len(words) > 0 && !x.Rejected() && !c.Run.tellsSecret(words) && !repeats(e.Text, words):
				j.Fail(answered+"the error does not repeat the server's words "+quote(words[0]), "the server's words in the error's text", x)
			default:
				j.Pass()
			}
		}),
	}
}

// ordinaryCategory is the kind of error that an error status becomes; 502 and 504 are LIM-07's.
func ordinaryCategory(status int) (evidence.Category, bool) {
	switch {
	case status == http.StatusBadGateway || status == http.StatusGatewayTimeout || status < 400 || status > 599:
		return "", false
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return evidence.Unauthorized, true
	case status < 500:
		return evidence.Rejected, true
	default:
		return evidence.ServerFailed, true
	}
}

// tellsSecret tells whether words of a server hold a secret: nobody has to repeat them then (CACHE-17).
func (r *Run) tellsSecret(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return len(r.mentioned([]byte(w))) > 0 })
}

// repeats tells whether a text holds one of some words, as far as the first line or so of them goes.
func repeats(text string, words []string) bool {
	const enough = 80 // a client may shorten what it repeats
	text = oneLine(text)
	return slices.ContainsFunc(words, func(w string) bool {
		return strings.Contains(text, strings.TrimSpace(clipBytes(oneLine(w), enough)))
	})
}

func resp17() Rule {
	return Rule{
		ID: "RESP-17", Level: Observe, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "make what it likes of a contextId in other letter case, malformed elements of parts, integers above 2^53 and ids of zero-width characters; it is noted",
		Cause:      "The contract does not speak of these, and clients differ.",
		Right:      "The contextId comes back in capitals and the call returns the Message, or ends with an error.",
		Wrong:      "Nothing here is wrong.",
		Judge: func(c *Call, j *Judgement) {
			x := c.ordinary()
			if x == nil {
				return
			}
			faults := x.Answer().Faults(c.Session)
			if slices.ContainsFunc(faults, evidence.MessageFault.MustReject) {
				return
			}
			for _, f := range faults {
				j.Observe("in the answer "+f.What+", and "+c.Ending(), x)
			}
			if n := hugeNumber(x.Answer().Message); n != "" {
				j.Observe("the answer holds the number "+n+", and "+c.Ending()+keptWords(c, n), x)
			}
		},
	}
}

// keptWords says whether a number stands in the result as it was answered.
func keptWords(c *Call, number string) string {
	switch {
	case !c.Returned() || c.Outcome.Message == nil:
		return ""
	case strings.Contains(string(c.Outcome.Message), number):
		return " with it"
	default:
		return " with another number in its place"
	}
}

// hugeNumber finds a number that arithmetic in double precision does not hold exactly; empty where there is none.
func hugeNumber(v *evidence.Value) string {
	n, _ := v.Number()
	f, _ := strconv.ParseFloat(n.String(), 64) // infinite beyond the greatest, and 0 of what is no number
	if math.Abs(f) >= 1<<53 {
		return clip(n.String(), 40)
	}
	for _, m := range v.Members() {
		if found := hugeNumber(m.Value); found != "" {
			return found
		}
	}
	for _, e := range v.Elements() {
		if found := hugeNumber(e); found != "" {
			return found
		}
	}
	return ""
}
