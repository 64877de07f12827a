package evidence

import (
	"slices"
)

// The extension URIs of the contract (ADR, Decision and Request Shape).
const (
	ResponseKindURI   = "https://mainsequence.ai/a2a/extensions/response-kind/v1"
	OutputContractURI = "https://mainsequence.ai/a2a/extensions/output-contract/v1"
)

// SendRequest is what the body of a message:send says. Nothing in it is judged.
type SendRequest struct {
	Body     *Value
	Problems []Problem

	MessageID           *Value
	Role                *Value
	ContextID           *Value
	Parts               []Part
	AcceptedOutputModes *Value
	ResponseKind        *Value
	// OutputContract is what stands in metadata under the URI of the output contract.
	OutputContract *Value
	// Extra lists the members beyond the documented shape, as JSON pointers in the order of the body.
	Extra []string
}

// ReadSend reads the body of a send request. It never fails.
func ReadSend(x *Exchange) SendRequest {
	body, problems := ReadJSON(x.Request.Body.Bytes)
	message := body.Member("message")
	s := SendRequest{
		Body: body, Problems: problems,
		MessageID:           message.Member("messageId"),
		Role:                message.Member("role"),
		ContextID:           message.Member("contextId"),
		AcceptedOutputModes: body.Path("configuration", "acceptedOutputModes"),
		ResponseKind:        body.Path("configuration", "responseKind"),
		OutputContract:      body.Path("metadata", OutputContractURI),
	}
	for _, element := range message.Member("parts").Elements() {
		s.Parts = append(s.Parts, ReadPart(element))
	}
	s.extra(body)
	return s
}

// extra collects the members that the documented shape does not have.
func (s *SendRequest) extra(body *Value) {
	s.beyond(body, nil, "message", "configuration", "metadata")
	s.beyond(body.Member("message"), way("message"), "messageId", "role", "contextId", "parts")
	for i, part := range s.Parts {
		place := append(way("message", "parts"), step{index: i})
		s.beyond(part.Value, place, "text", "raw", "filename", "mediaType")
	}
	s.beyond(body.Member("configuration"), way("configuration"), "acceptedOutputModes", "responseKind")
	s.beyond(body.Member("metadata"), way("metadata"), OutputContractURI)
	s.beyond(s.OutputContract, way("metadata", OutputContractURI), "response_format", "jsonRepairAttempts")
	format := s.OutputContract.Member("response_format")
	s.beyond(format, way("metadata", OutputContractURI, "response_format"), "type", "strict")
}

func (s *SendRequest) beyond(v *Value, place []step, known ...string) {
	for _, m := range v.Members() {
		if !slices.Contains(known, m.Name) {
			s.Extra = append(s.Extra, pointer(place)+"/"+escapePointer(m.Name))
		}
	}
}

func way(names ...string) []step {
	steps := make([]step, 0, len(names)+1)
	for _, name := range names {
		steps = append(steps, step{name: name, index: -1})
	}
	return steps
}
