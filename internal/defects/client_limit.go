package defects

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// The identity of the Message limit (ADR, Message limit).
const (
	errorInfoType = "type.googleapis.com/google.rpc.ErrorInfo"
	limitReason   = "MESSAGE_RESPONSE_LIMIT_EXCEEDED"
	limitDomain   = "mainsequence.ai"
)

// errorInfo is a detail of an error.
type errorInfo struct {
	kind, reason, domain string
	typed                bool
}

// limit is the error of an Agent that reached the platform's Message limit, else nil.
func (c *call) limit(r reply) *failure {
	status := r.status == http.StatusGatewayTimeout || r.status == http.StatusBadGateway && c.has("limit-under-502-taken")
	if !status || r.cut != nil || c.has("limit-unknown") {
		return nil
	}
	switch {
	case c.has("any-504-as-the-limit"),
		bytes.Contains(r.body, []byte(limitReason)) && c.has("reason-looked-for-in-the-text"):
		return c.limitReached(nil)
	}
	if !strings.HasPrefix(r.header.Get("Content-Type"), "application/json") && c.has("media-type-of-the-limit-unknown") {
		return nil
	}
	whole, _ := objectOf(r.body)
	failed, _ := objectOf(whole["error"])
	var details []json.RawMessage
	if json.Unmarshal(failed["details"], &details) != nil {
		return nil
	}
	switch {
	case len(details) > 1 && c.has("first-detail-alone-counts"):
		details = details[:1]
	case len(details) > 1 && c.has("last-detail-alone-counts"):
		details = details[len(details)-1:]
	}
	return c.limitAmong(details)
}

// limitAmong looks for the one detail that says it.
func (c *call) limitAmong(details []json.RawMessage) *failure {
	var reason, domain bool
	for _, raw := range details {
		detail, _ := objectOf(raw)
		var info errorInfo
		_, info.typed = detail["@type"]
		info.kind, _ = textOf(detail["@type"])
		info.reason, _ = textOf(detail["reason"])
		info.domain, _ = textOf(detail["domain"])
		if c.names(info) {
			metadata, _ := objectOf(detail["metadata"])
			return c.limitReached(metadata["limitSeconds"])
		}
		reason, domain = reason || info.reason == limitReason, domain || info.domain == limitDomain
	}
	if reason && domain && c.has("reason-and-domain-taken-apart") {
		return c.limitReached(nil)
	}
	return nil
}

// names tells whether a detail is the Message limit's: type, reason and domain are all its own.
func (c *call) names(info errorInfo) bool {
	return (info.kind == errorInfoType || !info.typed && c.has("detail-without-type-taken") || c.has("type-of-the-detail-ignored")) &&
		(info.reason == limitReason || c.has("reason-ignored")) &&
		(info.domain == limitDomain || c.has("domain-ignored"))
}

// limitReached is the message-limit error.
func (c *call) limitReached(written json.RawMessage) *failure {
	f := fail(evidence.MessageLimit, `the Agent did not answer within the platform's Message limit; for longer work use response_kind="task"`)
	f.status = http.StatusGatewayTimeout
	number, _ := textOf(written)
	if c.has("padded-seconds-taken") {
		number = strings.TrimSpace(number)
	}
	seconds, err := strconv.ParseFloat(number, 64)
	if err == nil && (seconds > 0 && seconds <= 1e9 || c.has("any-number-of-seconds-taken")) {
		f.limitSeconds = &seconds
	}
	switch {
	case c.has("limit-seconds-always-90"):
		seconds = 90
		f.limitSeconds = &seconds
	case c.has("limit-seconds-whole"):
		if f.limitSeconds != nil {
			seconds = float64(int(seconds))
		}
	case c.has("limit-seconds-left-out"):
		f.limitSeconds = nil
	case f.limitSeconds == nil && c.has("limit-needs-its-seconds"):
		f.category = evidence.ServerFailed
	case c.has("limit-as-a-timeout"):
		f.category = evidence.TimedOut
	case c.has("limit-without-a-way-out"):
		f.text = "the Agent did not answer within the platform's Message limit"
	case c.has("limit-without-its-cause"):
		f.text = `the send failed; use response_kind="task"`
	}
	return f
}

// limited tells whether what the call asks for has the limit: a direct Message alone (ADR, Message limit).
func (c *call) limited() bool {
	switch {
	case c.op == evidence.OpGetTask:
		return c.has("limit-taken-in-get")
	case c.op == evidence.OpCancelTask:
		return c.has("limit-taken-in-cancel")
	case c.task():
		return c.has("limit-taken-in-task-mode")
	case c.refused != 0 && c.has("limit-unknown-after-a-refresh"):
		return false
	}
	return true
}
