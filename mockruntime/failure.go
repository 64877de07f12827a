package mockruntime

import (
	"encoding/json"
	"net/http"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/wire"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

type rpcFailure struct {
	Error rpcStatus `json:"error"`
}

// rpcStatus is an error in the google.rpc shape (ADR 0029, Message limit).
type rpcStatus struct {
	Code    int         `json:"code"`
	Status  string      `json:"status"`
	Message string      `json:"message"`
	Details []errorInfo `json:"details"`
}

type errorInfo struct {
	Type     string          `json:"@type"`
	Reason   string          `json:"reason"`
	Domain   string          `json:"domain"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

// messageLimit is the 504 of the Message limit, field by field as the ADR has it. Its words are our own and name
// neither the limit nor the other response kind: a client that only repeats them has said nothing.
func messageLimit(v *script.Serving, l scenarios.MessageLimit) wire.Answer {
	metadata := v.FillJSON(l.Metadata)
	if len(metadata) == 0 {
		metadata = []byte(`{"limitSeconds":"90"}`)
	}
	return failure(http.StatusGatewayTimeout, "DEADLINE_EXCEEDED", "Sorrel kestrel: no reply came in time.", errorInfo{
		Type: evidence.ErrorInfoType, Reason: evidence.LimitReason, Domain: evidence.LimitDomain, Metadata: metadata,
	})
}

// rpcError is any other error in that shape; without a reason and a domain it has no details.
func rpcError(v *script.Serving, e scenarios.RPCError) wire.Answer {
	text, status := v.Fill(e.Message), e.Status
	if text == "" {
		text = "teal bunting"
	}
	if status == "" {
		status = "UNKNOWN"
	}
	if e.Reason == "" && e.Domain == "" {
		return failure(e.HTTP, status, text)
	}
	return failure(e.HTTP, status, text, errorInfo{
		Type: evidence.ErrorInfoType, Reason: e.Reason, Domain: e.Domain, Metadata: v.FillJSON(e.Metadata),
	})
}

func failure(code int, status, text string, details ...errorInfo) wire.Answer {
	if details == nil {
		details = []errorInfo{}
	}
	return script.JSON(code, script.MediaA2A, rpcFailure{rpcStatus{code, status, text, details}})
}
