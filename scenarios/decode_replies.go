package scenarios

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// messageLimit is the platform's limit for a direct Message (ADR 0029, Message limit).
const messageLimit = 90 * time.Second

func (d decoder) when(n *node) map[evidence.Op][]Step {
	queues := map[evidence.Op][]Step{}
	for _, op := range n.keys() {
		steps := []Step{}
		for _, item := range n.get(op).items {
			steps = append(steps, d.step(item))
		}
		queues[evidence.Op(op)] = steps
	}
	return queues
}

func (d decoder) step(n *node) Step {
	step := Step{
		Times: 1,
		For:   d.positive(n.get("for")),
		If:    d.condition(n.get("if")),
		Reply: d.reply(n.get("reply")),
		Wire:  d.wire(n.get("wire")),
		Line:  n.at.Line,
	}
	switch times := n.get("times"); {
	case times.is(textNode) && times.text == "any", times == nil && step.For > 0:
		step.Times = 0
	case times.is(textNode):
		d.want(times, `a whole number, 1 or more, or "any"`)
	default:
		step.Times = int(d.int(times, 1))
	}
	return step
}

func (d decoder) condition(n *node) *Condition {
	if n == nil {
		return nil
	}
	condition := &Condition{
		Token:   d.text(n.get("token")),
		Header:  d.texts(n.get("header")),
		Body:    d.raw(n.get("body")),
		Call:    d.text(n.get("call")),
		Client:  d.text(n.get("client")),
		Session: d.text(n.get("session")),
	}
	if after := n.get("after"); after != nil {
		condition.After = d.after(after)
	}
	return condition
}

func (d decoder) after(n *node) *AfterExchange {
	op, number, _ := strings.Cut(d.text(n), "#")
	count, err := strconv.Atoi(number)
	if err != nil || count < 1 {
		d.want(n, `an operation and which of its exchanges, such as "platform.resolve_access#2"`)
		return nil
	}
	return &AfterExchange{Op: evidence.Op(op), N: count}
}

func (d decoder) reply(n *node) Reply {
	reply := Reply{
		Ready:        pointer(n.get("ready"), d.ready),
		Wait:         pointer(n.get("wait"), d.wait),
		Stop:         pointer(n.get("stop"), d.stop),
		Message:      pointer(n.get("message"), d.message),
		Task:         pointer(n.get("task"), d.task),
		MessageLimit: pointer(n.get("message_limit"), d.messageLimit),
		RPCError:     pointer(n.get("rpc_error"), d.rpcError),
		Detail:       pointer(n.get("detail"), d.detail),
		Redirect:     pointer(n.get("redirect"), d.redirect),
		Raw:          pointer(n.get("raw"), d.rawAnswer),
		Bytes:        pointer(n.get("bytes"), d.text),
		Default:      n.get("default") != nil,
		With:         pointer(n.get("with"), d.edit),
	}
	return reply
}

// pointer reads a member that may be absent.
func pointer[T any](n *node, read func(*node) T) *T {
	if n == nil {
		return nil
	}
	made := read(n)
	return &made
}

func (d decoder) ready(n *node) Ready {
	return Ready{
		Token:     d.text(n.get("token")),
		ExpiresIn: opt(n.get("expires_in"), d.anyDuration),
		Endpoint:  orElse(d.text(n.get("rpc_url")), EndpointRuntime),
		State:     orElse(d.text(n.get("state")), "ready"),
	}
}

func (d decoder) wait(n *node) Wait {
	return Wait{
		State:      d.text(n.get("state")),
		RetryAfter: opt(n.get("retry_after"), d.milliseconds),
		Notice:     d.text(n.get("notice")),
		Detail:     d.text(n.get("detail")),
	}
}

// milliseconds is a length of time that can be written as a whole retry_after_ms.
func (d decoder) milliseconds(n *node) time.Duration {
	length := d.duration(n)
	if length%time.Millisecond != 0 {
		d.want(n, "whole milliseconds (for a broken retry_after_ms use with)")
	}
	return length
}

func (d decoder) stop(n *node) Stop {
	return Stop{State: d.text(n.get("state")), Notice: d.text(n.get("notice")), Detail: d.text(n.get("detail"))}
}

func (d decoder) message(n *node) Message {
	return Message{Text: d.text(n.get("text")), Parts: d.raw(n.get("parts"))}
}

func (d decoder) task(n *node) Task {
	return Task{ID: d.text(n.get("id")), State: d.text(n.get("state")), Text: d.text(n.get("text")), Bare: d.bool(n.get("bare"))}
}

func (d decoder) messageLimit(n *node) MessageLimit {
	limit := MessageLimit{After: messageLimit, Metadata: d.raw(n.get("metadata"))}
	if after := n.get("after"); after != nil {
		limit.After = d.duration(after)
	}
	return limit
}

func (d decoder) rpcError(n *node) RPCError {
	return RPCError{
		HTTP:     d.status(n.get("http"), 200, 999),
		Status:   d.text(n.get("status")),
		Message:  d.text(n.get("message")),
		Reason:   d.text(n.get("reason")),
		Domain:   d.text(n.get("domain")),
		Metadata: d.raw(n.get("metadata")),
	}
}

func (d decoder) detail(n *node) Detail {
	return Detail{HTTP: d.status(n.get("http"), 200, 999), Text: d.text(n.get("text")), Header: d.texts(n.get("header"))}
}

func (d decoder) redirect(n *node) Redirect {
	return Redirect{Status: d.status(n.get("status"), 300, 399), To: d.text(n.get("to"))}
}

func (d decoder) rawAnswer(n *node) Raw {
	raw := Raw{Status: d.status(n.get("status"), 200, 999), Header: d.headerLines(n.get("header"))}
	if body := n.get("body"); body.is(textNode) {
		raw.Body = []byte(body.text)
	} else {
		raw.Body = d.raw(body)
	}
	if encoded := n.get("body_base64"); encoded != nil {
		body, err := base64.StdEncoding.DecodeString(d.text(encoded))
		if err != nil {
			d.want(encoded, "base64 with its padding")
		}
		raw.Body = body
	}
	return raw
}

// headerLines are the lines of a head: a list of values is as many lines, null is none.
func (d decoder) headerLines(n *node) map[string][]string {
	if n == nil {
		return nil
	}
	lines := map[string][]string{}
	for _, m := range n.members {
		switch m.value.kind {
		case nullNode:
		case listNode:
			lines[m.key] = d.list(m.value)
		default:
			lines[m.key] = []string{d.text(m.value)}
		}
	}
	return lines
}

func (d decoder) edit(n *node) Edit {
	edit := Edit{Remove: d.list(n.get("remove"))}
	if set := n.get("set"); set != nil {
		edit.Set = map[string][]byte{}
		for _, m := range set.members {
			d.jsonPointer(m.keyAt, m.key)
			edit.Set[m.key] = m.value.json()
		}
	}
	if remove := n.get("remove"); remove != nil {
		for _, item := range remove.items {
			d.jsonPointer(item.at, item.text)
		}
	}
	return edit
}

func (d decoder) jsonPointer(at position, pointer string) {
	if !strings.HasPrefix(pointer, "/") {
		d.c.addf(at, "want a JSON pointer such as /message/role, here %q", shorten(pointer, 40))
	}
}
