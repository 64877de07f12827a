package scenarios

import (
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// ops are the operations whose answers a scenario may script.
func ops() []string {
	return []string{
		string(evidence.OpResolveAccess), string(evidence.OpGetSession), string(evidence.OpGetAgent), string(evidence.OpRenewToken),
		string(evidence.OpWhoAmI), string(evidence.OpSendMessage), string(evidence.OpGetTask), string(evidence.OpCancelTask),
	}
}

// steps checks the queues.
func (l lint) steps() {
	for _, m := range membersOf(l.root.get("when")) {
		op := evidence.Op(m.key)
		if !slices.Contains(ops(), m.key) {
			continue // said by the schema
		}
		ended := 0
		for i, step := range l.made.When[op] {
			n := m.value.items[i]
			if ended > 0 {
				l.c.addf(n.at, "this step is never reached: the one at line %d takes every request from then on", ended)
			}
			if step.Times == 0 && step.For == 0 && step.If == nil && ended == 0 {
				ended = step.Line
			}
			l.step(op, step, n)
		}
	}
}

func (l lint) step(op evidence.Op, step Step, n *node) {
	if n.get("for") != nil && n.get("times") != nil {
		l.c.addf(n.keyPlace("for"), "for and times exclude each other: for already means any number of times within it")
	}
	l.condition(step, n)
	l.reply(op, step.Reply, n.get("reply"))
	l.wire(op, step, n)
}

func (l lint) condition(step Step, n *node) {
	condition := n.get("if")
	if condition == nil || step.If == nil {
		return
	}
	if token := condition.get("token"); token.is(textNode) && !slices.Contains(l.tokens(), token.text) {
		l.c.addf(token.at, "no reply hands out a token named %q%s", shorten(token.text, 40), guess(token.text, l.tokens()))
	}
	calls := allCalls(l.made.Calls)
	l.named(condition.get("call"), "call", calls, func(c Call) string { return c.ID })
	l.named(condition.get("client"), "client", calls, func(c Call) string { return c.Client })
	l.named(condition.get("session"), "session", calls, func(c Call) string { return c.Session })
	if after := step.If.After; after != nil && !slices.Contains(ops(), string(after.Op)) {
		l.c.addf(condition.get("after").at, "unknown operation %q%s", shorten(string(after.Op), 40), guess(string(after.Op), ops()))
	}
	if body := condition.get("body"); body != nil && (step.Wire.Early || step.Wire.Upload != nil) {
		l.c.addf(condition.keyPlace("body"), "a step that answers early or reads the upload slowly cannot ask for the body: it is chosen before the body is read")
	}
}

// tokens are the names that a condition may ask for.
func (l lint) tokens() []string {
	names := []string{EndpointPlatform}
	for _, op := range ops() {
		for _, step := range l.made.When[evidence.Op(op)] {
			if step.Reply.Ready != nil && step.Reply.Ready.Token != "" {
				names = append(names, step.Reply.Ready.Token)
			}
		}
	}
	return slices.Compact(names)
}

func (l lint) named(n *node, what string, calls []Call, name func(Call) string) {
	if !n.is(textNode) {
		return
	}
	var known []string
	for _, call := range calls {
		if !slices.Contains(known, name(call)) {
			known = append(known, name(call))
		}
	}
	if !slices.Contains(known, n.text) {
		l.c.addf(n.at, "no call has the %s %q%s", what, shorten(n.text, 40), guess(n.text, known))
	}
}

// replyOps says which operations a kind of reply can answer; kinds that are not here answer all of them.
func replyOps(kind string) func(evidence.Op) bool {
	switch kind {
	case "ready", "wait", "stop":
		return func(op evidence.Op) bool { return op == evidence.OpResolveAccess }
	case "message", "task", "message_limit", "rpc_error":
		return func(op evidence.Op) bool { return strings.HasPrefix(string(op), EndpointRuntime+".") }
	case "default":
		return func(op evidence.Op) bool {
			return op != evidence.OpResolveAccess && strings.HasPrefix(string(op), EndpointPlatform+".")
		}
	default:
		return func(evidence.Op) bool { return true }
	}
}

func (l lint) reply(op evidence.Op, reply Reply, n *node) {
	for _, m := range membersOf(n) {
		if !replyOps(m.key)(op) {
			l.c.addf(m.keyAt, "%s is no answer to %s: for an answer that is wrong on purpose use raw, or with", m.key, op)
		}
	}
	if with := n.keyPlace("with"); reply.With != nil && (reply.Raw != nil || reply.Bytes != nil || reply.Redirect != nil) {
		l.c.addf(with, "with edits the body of an answer that a server makes: here write the body as it is to be")
	}
	if reply.Ready != nil {
		l.endpoint(n.get("ready").get("rpc_url"), "")
		if token := n.get("ready").get("token"); token.is(textNode) && token.text == EndpointPlatform {
			l.c.addf(token.at, "platform is the name of the platform's own token: take another")
		}
	}
	if message := n.get("message"); message.get("text") != nil && message.get("parts") != nil {
		l.c.addf(message.keyPlace("parts"), "text and parts exclude each other")
	}
	if reply.Redirect != nil && !strings.ContainsAny(reply.Redirect.To, "/:$") {
		l.endpoint(n.get("redirect").get("to"), "")
	}
}
