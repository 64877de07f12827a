package suites

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// accessWords says what matters in the platform's answer: whether it admits, its state, and its direction.
func accessWords(a *evidence.Access) string {
	if !a.Answered {
		return "no usable answer"
	}
	words := "can_submit " + a.CanSubmit.Brief()
	if a.CanSubmit == nil {
		words = "no can_submit"
	}
	if state, ok := a.State.Text(); ok {
		words = clip(state, 24) + ", " + words
	}
	if a.RetryAfter.Kind != evidence.DirectionAbsent && a.RetryAfter.Kind != evidence.DirectionNull {
		words += ", retry_after_ms " + a.RetryAfter.Value.Brief()
	}
	if a.Token.Name != "" {
		words += ", " + a.Token.Name
	}
	return words
}

// holdingWords says what the answer to a send holds.
func holdingWords(a *evidence.Answer) string {
	switch a.Holds {
	case evidence.HoldsMessage:
		return "a Message"
	case evidence.HoldsTask:
		return "a Task"
	case evidence.HoldsBoth:
		return "a Message and a Task"
	case evidence.HoldsNeither:
		return "neither a Message nor a Task"
	default:
		return "not one JSON object"
	}
}

// bodyWords says what matters in an answer's body.
func (x *Exchange) bodyWords() string {
	switch {
	case x.Op == evidence.OpResolveAccess && x.Status() == http.StatusOK:
		return accessWords(x.Access())
	case x.Op == evidence.OpSendMessage && x.Status() == http.StatusOK:
		return holdingWords(x.Answer())
	case (x.Op == evidence.OpGetTask || x.Op == evidence.OpCancelTask) && x.Status() == http.StatusOK:
		return taskWords(x.task())
	case x.Op == evidence.OpGetAgent && x.Status() == http.StatusOK:
		_, words := x.advert()
		return words
	case x.Status() >= http.StatusBadRequest && x.Whole():
		return clip(strings.Join(x.ErrorInfo().Words(), "; "), 80)
	default:
		return ""
	}
}

// ordinal writes a small number as a place in a row.
func ordinal(n int) string {
	words := []string{"zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"}
	if n >= 0 && n < len(words) {
		return words[n]
	}
	return fmt.Sprintf("%dth", n)
}

// said writes a value of a body for a sentence; one that is not there is "absent".
func said(v *evidence.Value) string {
	if v == nil {
		return "absent"
	}
	return v.Brief()
}
