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
	switch name {
	case "session.uid":
		return v.Session(), true
	case "session.uid.upper":
		return strings.ToUpper(v.Session()), true
	case "agent.uid":
		return v.World.AgentUID(), true
	case "service.uid":
		return v.World.ServiceUID(), true
	case "request.message_id":
		return v.requestText("messageId"), true
	case "request.context_id":
		return v.requestText("contextId"), true
	case "request.task_id":
		return v.Vars["id"], true
	}
	subject, member, _ := strings.Cut(name, ".")
	switch {
	case subject == "session" && strings.HasSuffix(member, ".uid"):
		return v.World.SessionUID(strings.TrimSuffix(member, ".uid")), true
	case subject == "token":
		return v.World.tokenNamed(member)
	}
	place, ok := v.World.Place(subject)
	switch {
	case ok && member == "url":
		return place.URL(), true
	case ok && member == "origin":
		return place.Origin, true
	case ok && member == "host":
		_, host, _ := strings.Cut(place.Origin, "://")
		return host, true
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
