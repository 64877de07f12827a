package scenarios

import (
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// The placeholders that are filled in while a scenario runs. They stay in the texts of a case:
//
//	${NAME.url} ${NAME.origin}  a server: platform, runtime, or an endpoint of the scenario
//	${NAME.host}                in replies: the same as host:port
//	${session.uid}              the session that is addressed
//	${session.uid.upper}        in replies: the same in capitals
//	${session.NAME.uid}         the session that the calls name NAME
//	${agent.uid} ${service.uid} the agent and the service behind the session, in replies
//	${token.NAME}               in replies: the runtime token that a ready reply named NAME and that was handed out
//	${request.message_id}       in replies: what the request says; also context_id and task_id
//	${ID.message_id}            in later calls: the message id that call ID sent
//	${ID.printed_id}            in later calls: the message id that call ID printed
//	${ID.task_id}               in later calls: the id of the Task that call ID returned

// isReserved tells whether the placeholders of the format begin with a name, so that no call and no endpoint can have it.
func isReserved(name string) bool {
	return slices.Contains([]string{absentName, "session", "agent", "service", "token", "request", EndpointPlatform, EndpointRuntime}, name)
}

// resultMembers are what a later call may take from an earlier one.
func resultMembers() []string { return []string{"message_id", printedID, "task_id"} }

// printedID is what only a command has.
const printedID = "printed_id"

// references checks every placeholder that is left once the variables are filled in.
func (l lint) references() {
	known := l.surroundings()
	for _, m := range l.root.members {
		switch m.key {
		case "calls":
			l.callReferences(m.value, slices.Clone(known))
		case "when":
			l.texts(m.value, append(slices.Clone(known), l.ofReplies()...))
		case "scenario":
		default:
			l.texts(m.value, nil)
		}
	}
}

// surroundings are the placeholders that every part of a run knows.
func (l lint) surroundings() []string {
	known := []string{"session.uid"}
	for _, server := range l.servers() {
		known = append(known, server+".url", server+".origin")
	}
	for _, call := range allCalls(l.made.Calls) {
		known = append(known, "session."+call.Session+".uid")
	}
	return known
}

// servers are the names of all servers of the scenario.
func (l lint) servers() []string {
	servers := []string{EndpointPlatform, EndpointRuntime}
	for _, endpoint := range l.made.Endpoints {
		servers = append(servers, endpoint.Name)
	}
	return servers
}

// ofReplies are the placeholders that a server knows beside.
func (l lint) ofReplies() []string {
	known := []string{"agent.uid", "service.uid", "session.uid.upper"}
	for _, server := range l.servers() {
		known = append(known, server+".host")
	}
	for _, member := range requestMembers() {
		known = append(known, "request."+member)
	}
	for _, token := range l.tokens()[1:] {
		known = append(known, "token."+token)
	}
	return known
}

// requestMembers are what a reply may take from its request.
func requestMembers() []string { return []string{"message_id", "context_id", "task_id"} }

func (l lint) texts(n *node, known []string) {
	walkTexts(n, func(text string, at position) { l.placeholders(text, at, known) })
}

// callReferences lets each step refer to the calls of the steps before it.
func (l lint) callReferences(steps *node, known []string) {
	for i, step := range steps.items {
		l.texts(step, known)
		if i >= len(l.made.Calls) {
			return
		}
		for _, call := range allCalls(l.made.Calls[i : i+1]) {
			for _, result := range resultMembers() {
				known = append(known, call.ID+"."+result)
			}
		}
	}
}

func (l lint) placeholders(text string, at position, known []string) {
	seen := map[string]bool{}
	for _, found := range placeholderForm.FindAllStringSubmatch(text, -1) {
		if name := found[1]; !seen[name] && !slices.Contains(known, name) && !l.c.full() {
			seen[name] = true
			l.c.addf(at, "unknown placeholder %s%s", shorten(found[0], 60), l.whyUnknown(name, known))
		}
	}
	if strings.Contains(placeholderForm.ReplaceAllString(text, ""), "${") {
		l.c.addf(at, "a placeholder without its end: want ${name}")
	}
}

// whyUnknown says why a placeholder means nothing where it stands.
func (l lint) whyUnknown(name string, known []string) string {
	if _, variable := l.values[name]; variable {
		return ": the value of a variable cannot use another one"
	}
	head, tail, _ := strings.Cut(name, ".")
	calls := allCalls(l.made.Calls)
	named := slices.ContainsFunc(calls, func(call Call) bool { return call.ID == head })
	switch {
	case named && slices.Contains(resultMembers(), tail):
		return ": what a call returned can be used in the calls of later steps only"
	case named && tail != "":
		return ": of a call there are " + strings.Join(resultMembers(), ", ")
	case name == absentName:
		return ": it can only take the place of a whole value"
	case head == "request":
		return ": only replies know a request, and of it " + strings.Join(requestMembers(), ", ")
	}
	if meant := didYouMean(name, known); meant != "" {
		return meant
	}
	return ": it is no variable of the scenario"
}

// calls checks the names of calls and of what they use.
func (l lint) calls() {
	for _, endpoint := range l.made.Endpoints {
		if isReserved(endpoint.Name) {
			l.c.addf(l.root.get("endpoints").keyPlace(endpoint.Name), "every scenario has a %q of its own: take another name", endpoint.Name)
		}
	}
	steps := l.root.get("calls")
	if steps == nil {
		return
	}
	seen := map[string]position{}
	for i, step := range l.made.Calls {
		n := steps.items[i]
		switch {
		case step.Call != nil:
			l.call(*step.Call, n, seen)
		case n.get("together") != nil:
			for j, call := range step.Together {
				l.call(call, n.get("together").items[j], seen)
			}
		}
		l.plainStep(n)
	}
}

// plainStep refuses what belongs to a call where there is none, or several.
func (l lint) plainStep(n *node) {
	for _, kind := range []string{"pause", "together", "home"} {
		if n.get(kind) == nil {
			continue
		}
		for _, m := range n.members {
			if slices.Contains(append(ofCommands(), "id", "client", "session", "user", "backend", "after", "cancel_after"), m.key) {
				l.c.addf(m.keyAt, "%s belongs to a call, not to a step that is a %s", m.key, kind)
			}
		}
	}
}

func (l lint) call(call Call, n *node, seen map[string]position) {
	at := n.at
	if id := n.get("id"); id != nil {
		at = id.at
	}
	if before, twice := seen[call.ID]; twice {
		l.c.addf(at, "the call at line %d is called %q already", before.Line, call.ID)
	}
	seen[call.ID] = at
	named := slices.ContainsFunc(l.made.Endpoints, func(e Endpoint) bool { return e.Name == call.ID })
	if isReserved(call.ID) || named || call.ID == "is" {
		l.c.addf(at, "a call cannot be called %q: placeholders or results would not know what is meant", call.ID)
	}
	if call.Backend != EndpointPlatform {
		l.endpoint(n.get("backend"), evidence.SidePlatform)
	}
	if cancel := n.get("cancel_after"); cancel.is(textNode) && call.CancelAfter != nil && *call.CancelAfter == 0 {
		l.c.addf(cancel.at, "a call that is given up at once makes no request that could be judged: let it run for a while")
	}
}

// endpoint checks the name of an endpoint, of one side where side is not empty.
func (l lint) endpoint(n *node, side evidence.Side) {
	if !n.is(textNode) {
		return
	}
	sides := map[string]evidence.Side{EndpointPlatform: evidence.SidePlatform, EndpointRuntime: evidence.SideRuntime}
	for _, endpoint := range l.made.Endpoints {
		sides[endpoint.Name] = endpoint.Side
	}
	here, known := sides[n.text]
	switch {
	case !known:
		l.c.addf(n.at, "unknown endpoint %q%s", shorten(n.text, 40), guess(n.text, sortedKeys(sides)))
	case side != "" && here != side:
		l.c.addf(n.at, "endpoint %q is of side %q, want one of side %q", n.text, here, side)
	}
}
