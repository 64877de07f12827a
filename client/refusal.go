package client

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
)

// rejectsCredentials goes by the status alone: whatever the body says, and
// whether or not it ever comes (ADR 0029, Decision 5).
func (a *answer) rejectsCredentials() bool {
	return a.status == http.StatusUnauthorized || a.status == http.StatusForbidden
}

// refusal is nil for a 2xx answer in a form that can be read: the body decides
// what it is worth. Otherwise it is the error that the status stands for.
func (a *answer) refusal(c *call) error {
	if a.status/100 == 2 {
		if coding := a.header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
			return &InvalidResponseError{Server: a.server, Status: a.status, Problems: problems{
				"it came in a content coding, which was not asked for",
			}}
		}
		return nil
	}
	if a.rejectsCredentials() {
		return &UnauthorizedError{Server: a.server, Status: a.status, Words: withhold(serverWords(a.glance()), c.secrets)}
	}
	body, err := a.read()
	if err != nil && endsCall(err) {
		return err
	}
	// A body that was cut or is too long takes nothing from the status. It is
	// no longer looked at, since its end may have said something else.
	words := withhold(serverWords(body), c.secrets)
	if a.status/100 != 5 {
		return &RejectedError{Server: a.server, Status: a.status, Words: words}
	}
	ordinary := &ServerError{Server: a.server, Status: a.status, Words: words}
	if a.server == serverRuntime && c.direct && a.status == http.StatusGatewayTimeout {
		if limit, ok := readMessageLimit(body); ok {
			return &MessageLimitError{LimitSeconds: limit, Answer: ordinary}
		}
	}
	return ordinary
}

// endsCall tells the end of the budget, or of the caller's patience, from a
// fault of one exchange.
func endsCall(err error) bool {
	_, timeout := errors.AsType[*TimeoutError](err)
	return timeout || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// serverWords finds what a server says of its error in the shapes that are
// known: {"detail"}, {"error":{"message"}}, {"message"}, plain text.
func serverWords(body []byte) string {
	document, err := readDocument(body)
	if err != nil {
		return shorten(string(body[:min(len(body), 4096)]))
	}
	for _, said := range []json.RawMessage{document["detail"], document.child("error")["message"], document["message"]} {
		if text, ok := readText(said); ok && strings.TrimSpace(text) != "" {
			return shorten(text)
		}
	}
	return shorten(string(body[:min(len(body), 4096)]))
}

// What identifies the Message limit (ADR 0029, Message limit).
const (
	limitReason   = "MESSAGE_RESPONSE_LIMIT_EXCEEDED"
	limitDomain   = "mainsequence.ai"
	errorInfoType = "type.googleapis.com/google.rpc.ErrorInfo"
)

// readMessageLimit looks for one ErrorInfo with both the reason and the domain
// among the details of a 504. Any other 504, from a gateway say, is not the
// limit.
func readMessageLimit(body []byte) (seconds *float64, ok bool) {
	document, err := readDocument(body)
	if err != nil {
		return nil, false
	}
	details, _ := document.child("error").elements("details")
	for _, element := range details {
		detail, err := readObject(element)
		if err != nil {
			continue
		}
		kind, _ := detail.text("@type")
		reason, _ := detail.text("reason")
		domain, _ := detail.text("domain")
		if kind == errorInfoType && reason == limitReason && domain == limitDomain {
			return limitSeconds(detail.child("metadata")), true
		}
	}
	return nil, false
}

// limitSeconds reads metadata.limitSeconds, text that is a finite number above
// zero, written as JSON writes numbers: "90", "0.5". Anything else is no number.
func limitSeconds(metadata object) *float64 {
	text, ok := metadata.text("limitSeconds")
	if !ok || !json.Valid([]byte(text)) || strings.TrimSpace(text) != text {
		return nil
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds > 0) || math.IsInf(seconds, 1) {
		return nil
	}
	return &seconds
}
