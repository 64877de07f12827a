package evidence

import (
	"fmt"
	"strconv"
	"strings"
)

// Answer is what an answer to a send holds (ADR, Request Shape). Nothing in it is judged.
type Answer struct {
	Status int
	// Complete tells that the whole answer went out, as its head announced it.
	Complete bool
	Holds    Holding
	Body     *Value
	Problems []Problem
	// Message and Task are the members of these names; absent where there is none, also where it is null.
	Message *Value
	Task    *Value
}

// Holding tells what an answer holds.
type Holding string

// What an answer may hold. A member that is null counts as none. NotOneObject: the bytes are not one JSON object, or
// not all of them arrived.
const (
	HoldsMessage Holding = "message"
	HoldsTask    Holding = "task"
	HoldsBoth    Holding = "both"
	HoldsNeither Holding = "neither"
	NotOneObject Holding = "not one object"
)

// ReadMessage reads an answer to a send. It never fails.
func ReadMessage(x *Exchange) Answer {
	body, problems, whole := readAnswer(x)
	a := Answer{Status: status(x), Holds: NotOneObject, Body: body, Problems: problems}
	if x.Response != nil {
		a.Complete = x.Response.Complete
	}
	a.Message = present(body.Member("message"))
	a.Task = present(body.Member("task"))
	switch {
	case !whole || body.Kind() != KindObject:
	case a.Message != nil && a.Task != nil:
		a.Holds = HoldsBoth
	case a.Message != nil:
		a.Holds = HoldsMessage
	case a.Task != nil:
		a.Holds = HoldsTask
	default:
		a.Holds = HoldsNeither
	}
	return a
}

func present(v *Value) *Value {
	if v.Kind() == KindNull {
		return nil
	}
	return v
}

// ReadTask reads an answer to get or cancel: the Task, and whether it came wrapped as {"task": …} or bare, as the
// A2A standard has it. Neither is there when the answer is no Task at all.
func ReadTask(x *Exchange) (task *Value, wrapped bool) {
	a := ReadMessage(x)
	switch {
	case a.Holds == HoldsTask:
		return a.Task, true
	case a.Holds == HoldsNeither && a.Body.Member("id") != nil && a.Body.Member("status").Kind() == KindObject:
		return a.Body, false
	default:
		return nil, false
	}
}

// MessageFault is something wrong with the envelope of a Message, or worth a remark.
type MessageFault struct {
	Kind MessageFaultKind
	What string
}

// MessageFaultKind tells which obligation of a Message is touched.
type MessageFaultKind string

// The kinds of fault. A client must reject a Message with one of the first five; the rest are left to it.
const (
	FaultEnvelope  MessageFaultKind = "envelope"
	FaultRole      MessageFaultKind = "role"
	FaultMessageID MessageFaultKind = "message_id"
	FaultParts     MessageFaultKind = "parts"
	FaultContext   MessageFaultKind = "context"

	FaultContextCase MessageFaultKind = "context_case"
	FaultInvisibleID MessageFaultKind = "invisible_id"
	FaultPart        MessageFaultKind = "part"
)

// MustReject tells whether a client has to reject a Message with this fault.
func (f MessageFault) MustReject() bool {
	switch f.Kind {
	case FaultEnvelope, FaultRole, FaultMessageID, FaultParts, FaultContext:
		return true
	default:
		return false
	}
}

// Faults lists what is wrong with the answer as a direct Message of a session; none for a sound one.
func (a Answer) Faults(session string) []MessageFault {
	if a.Holds != HoldsMessage {
		return []MessageFault{{FaultEnvelope, "the answer holds " + a.Holds.words()}}
	}
	if a.Message.Kind() != KindObject {
		return []MessageFault{{FaultEnvelope, "message is " + a.Message.Kind().String()}}
	}
	var faults []MessageFault
	note := func(kind MessageFaultKind, what string) {
		if kind != "" {
			faults = append(faults, MessageFault{kind, what})
		}
	}
	note(roleFault(a.Message.Member("role")))
	note(idFault(a.Message.Member("messageId")))
	note(contextFault(a.Message.Member("contextId"), session))
	return append(faults, partsFaults(a.Message.Member("parts"))...)
}

func (h Holding) words() string {
	switch h {
	case HoldsMessage, HoldsTask:
		return "a " + string(h)
	case HoldsBoth:
		return "both a message and a task"
	case HoldsNeither:
		return "neither a message nor a task"
	default:
		return "not one whole JSON object"
	}
}

func roleFault(v *Value) (MessageFaultKind, string) {
	if v.TextEquals("ROLE_AGENT") {
		return "", ""
	}
	return FaultRole, "role is " + v.described()
}

func idFault(v *Value) (MessageFaultKind, string) {
	text, ok := v.Text()
	switch {
	case !ok || strings.TrimSpace(text) == "":
		return FaultMessageID, "messageId is " + v.described()
	case strings.TrimFunc(text, invisible) == "":
		return FaultInvisibleID, "messageId has no visible character"
	default:
		return "", ""
	}
}

// invisible tells whether a character has no width: readers disagree on whether text of nothing else is blank.
func invisible(r rune) bool {
	return strings.ContainsRune("\u200b\u200c\u200d\u2060\ufeff\u00ad", r) || strings.TrimSpace(string(r)) == ""
}

func contextFault(v *Value, session string) (MessageFaultKind, string) {
	text, _ := v.Text()
	switch {
	case v.TextEquals(session):
		return "", ""
	case strings.EqualFold(text, session):
		return FaultContextCase, "contextId differs from the session in letter case alone"
	default:
		return FaultContext, "contextId is " + v.described() + ", not the session of the call"
	}
}

func partsFaults(v *Value) []MessageFault {
	if v.Kind() != KindArray || len(v.Elements()) == 0 {
		what := v.described()
		if v.Kind() == KindArray {
			what = "empty"
		}
		return []MessageFault{{FaultParts, "parts is " + what}}
	}
	var faults []MessageFault
	for i, element := range v.Elements() {
		if why := ReadPart(element).Why; why != "" {
			faults = append(faults, MessageFault{FaultPart, "part " + strconv.Itoa(i+1) + " " + why})
		}
	}
	return faults
}

// described says what a value is: text and numbers as they stand, the rest by kind.
func (v *Value) described() string {
	switch v.Kind() {
	case KindString, KindNumber, KindBool:
		return v.Brief()
	default:
		return v.Kind().String()
	}
}

// InternalDirection tells whether a role is one of Main Sequence's own binding directions, which stand nowhere on the
// public boundary (ADR, Request Shape).
func InternalDirection(role string) bool {
	return role == "ROLE_REQUESTER" || role == "ROLE_RESPONDER"
}

// InternalRoles lists the places of a Task where an internal direction is the role of a Message: in status.message
// and in history.
func InternalRoles(task *Value) []string {
	var found []string
	if role, _ := task.Path("status", "message", "role").Text(); InternalDirection(role) {
		found = append(found, "/status/message/role")
	}
	for i, m := range task.Member("history").Elements() {
		if role, _ := m.Member("role").Text(); InternalDirection(role) {
			found = append(found, fmt.Sprintf("/history/%d/role", i))
		}
	}
	return found
}
