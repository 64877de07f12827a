package script

import (
	"regexp"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

var placeholder = regexp.MustCompile(`\$\{[^{}]+\}`)

// Fill writes what is known only now into a text: ${session.uid} and ${session.NAME.uid}, ${session.uid.upper} (the
// same in capitals), ${agent.uid}, ${service.uid}, ${NAME.url}, ${NAME.origin} and ${NAME.host} (host and port) of an
// endpoint, ${token.NAME} of a runtime token that has been handed out, ${request.message_id}, ${request.context_id},
// ${request.task_id}. What is not known stays as it is. The placeholders of the request read its body.
func (v *Serving) Fill(text string) string {
	return v.fill(text, func(value string) string { return value })
}

// FillJSON does the same inside JSON text, where values are written as the inside of a JSON string.
func (v *Serving) FillJSON(text []byte) []byte {
	return []byte(v.fill(string(text), func(value string) string {
		quoted := string(encode(value))
		return quoted[1 : len(quoted)-1]
	}))
}

func (v *Serving) fill(text string, write func(string) string) string {
	if !strings.Contains(text, "${") {
		return text
	}
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		if value, ok := v.value(found[2 : len(found)-1]); ok {
			return write(value)
		}
		return found
	})
}

// value is what a placeholder stands for.
func (v *Serving) value(name string) (string, bool) {
	subject, member, _ := strings.Cut(name, ".")
	switch subject {
	case "session":
		return v.ofSession(member)
	case "request":
		return v.ofRequest(member)
	case "token":
		return v.World.tokenNamed(member)
	case "agent":
		return v.World.AgentUID(), member == "uid"
	case "service":
		return v.World.ServiceUID(), member == "uid"
	default:
		return v.ofPlace(subject, member)
	}
}

func (v *Serving) ofSession(member string) (string, bool) {
	switch member {
	case "uid":
		return v.Session(), true
	case "uid.upper":
		return strings.ToUpper(v.Session()), true
	default:
		name, ok := strings.CutSuffix(member, ".uid")
		return v.World.SessionUID(name), ok
	}
}

func (v *Serving) ofRequest(member string) (string, bool) {
	switch member {
	case "message_id":
		return v.requestText("messageId"), true
	case "context_id":
		return v.requestText("contextId"), true
	case "task_id":
		return v.Vars["id"], true
	default:
		return "", false
	}
}

func (v *Serving) ofPlace(name, member string) (string, bool) {
	place, ok := v.World.Place(name)
	switch member {
	case "url":
		return place.URL(), ok
	case "origin":
		return place.Origin, ok
	case "host":
		_, host, _ := strings.Cut(place.Origin, "://")
		return host, ok
	default:
		return "", false
	}
}

// requestText is a member of the request's message, empty where it has none.
func (v *Serving) requestText(member string) string {
	body, _ := evidence.ReadJSON(v.Body())
	text, _ := body.Path("message", member).Text()
	return text
}

func (v *Serving) filledEdit(e scenarios.Edit) scenarios.Edit {
	set := make(map[string][]byte, len(e.Set))
	for pointer, value := range e.Set {
		set[pointer] = v.FillJSON(value)
	}
	return scenarios.Edit{Set: set, Remove: e.Remove}
}
