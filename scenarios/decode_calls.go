package scenarios

import (
	"strconv"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

const (
	settleVirtual = 120 * time.Second
	// settleReal is short: on real time a suite waits this long after every one of its cases.
	settleReal = 300 * time.Millisecond
	// defaultMessage is sent where a scenario leaves the text open.
	defaultMessage = "hello"
)

// callOps are the operations that a call may ask of a subject.
func callOps() []string {
	return []string{
		string(evidence.CallSend), string(evidence.CallGetTask), string(evidence.CallCancelTask), string(evidence.CallWaitTask),
	}
}

// decodeCase makes a case from a tree whose placeholders have been filled in.
func (d decoder) decodeCase(root *node, id string, clock evidence.Clock) Case {
	made := Case{
		ID:       id,
		Scenario: d.text(root.get("scenario")),
		About:    d.text(root.get("about")),
		Covers:   d.list(root.get("covers")),
		Needs:    d.list(root.get("needs")),
		Slow:     d.bool(root.get("slow")),
		Clock:    evidence.Clock(d.oneOf(root.get("clock"), string(evidence.ClockVirtual))),
		Alone:    d.bool(root.get("alone")),
		Settle:   settleVirtual,
	}
	if clock == evidence.ClockReal {
		made.Settle = settleReal
	}
	if settle := root.get("settle"); settle != nil {
		made.Settle = d.duration(settle)
	}
	for _, name := range root.get("endpoints").keys() {
		made.Endpoints = append(made.Endpoints, d.endpoint(name, root.get("endpoints").get(name)))
	}
	made.Calls = d.calls(root.get("calls"))
	made.When = d.when(root.get("when"))
	made.Expect = d.expect(root.get("expect"), made.Calls)
	return made
}

func (d decoder) list(n *node) []string {
	if n == nil {
		return nil
	}
	list := make([]string, len(n.items))
	for i, item := range n.items {
		list[i] = d.text(item)
	}
	return list
}

func (d decoder) endpoint(name string, n *node) Endpoint {
	made := Endpoint{
		Name: name,
		Side: evidence.Side(d.oneOf(n.get("side"),
			string(evidence.SidePlatform), string(evidence.SideRuntime), string(evidence.SideElsewhere))),
		Slash: d.bool(n.get("slash")),
		Accepts: evidence.Accepts(d.oneOf(n.get("accepts"),
			string(evidence.AcceptsYes), string(evidence.AcceptsRefuse), string(evidence.AcceptsHang))),
	}
	if made.Accepts == "" {
		made.Accepts = evidence.AcceptsYes
	}
	made.Prefix = d.prefix(n.get("prefix"))
	return made
}

// calls reads the steps of what is asked; without any, one plain send.
func (d decoder) calls(n *node) []CallStep {
	if n == nil {
		plain := &node{kind: mapNode, members: []member{{key: string(evidence.CallSend), value: &node{kind: mapNode}}}}
		n = &node{kind: listNode, items: []*node{plain}}
	}
	steps := make([]CallStep, 0, len(n.items))
	number := 0
	one := func(item *node) Call {
		number++
		return d.call(item, number)
	}
	for _, item := range n.items {
		var step CallStep
		switch {
		case item.get("pause") != nil:
			step.Pause = d.positive(item.get("pause"))
		case item.get("home") != nil:
			step.Home = d.home(item.get("home"))
		case item.get("together") != nil:
			for _, each := range item.get("together").items {
				step.Together = append(step.Together, one(each))
			}
		default:
			call := one(item)
			step.Call = &call
		}
		steps = append(steps, step)
	}
	return steps
}

func (d decoder) call(n *node, number int) Call {
	call := Call{
		ID:      orElse(d.text(n.get("id")), "call-"+strconv.Itoa(number)),
		Client:  orElse(d.text(n.get("client")), "a"),
		Session: orElse(d.text(n.get("session")), "main"),
		User:    orElse(d.text(n.get("user")), "main"),
		Backend: orElse(d.text(n.get("backend")), EndpointPlatform),
		After:   d.duration(n.get("after")),
		Env:     d.list(n.get("env")),
		Args:    d.list(n.get("args")),
		Signal:  pointer(n.get("signal"), d.signal),
	}
	if cancel := n.get("cancel_after"); cancel != nil {
		after := d.duration(cancel)
		call.CancelAfter = &after
	}
	for _, op := range callOps() {
		if input := n.get(op); input != nil {
			call.Op = evidence.CallOp(op)
			call.Input = d.input(input, call.Op)
		}
	}
	return call
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func (d decoder) input(n *node, op evidence.CallOp) Input {
	input := Input{
		Message:            opt(n.get("message"), d.longText),
		MessageID:          opt(n.get("message_id"), d.text),
		StrictDictionary:   opt(n.get("strict_dictionary"), d.bool),
		JSONRepairAttempts: opt(n.get("json_repair_attempts"), d.number),
		ResponseKind:       opt(n.get("response_kind"), d.text),
		Timeout:            opt(n.get("timeout"), d.timeout),
		TaskID:             opt(n.get("task_id"), d.text),
		PollInterval:       opt(n.get("poll_interval"), d.timeout),
		WaitTimeout:        opt(n.get("wait_timeout"), d.timeout),
	}
	if op == evidence.CallSend && n.get("message") == nil {
		input.Message = evidence.Some(Text{Value: defaultMessage})
	}
	if files := n.get("files"); files != nil {
		for _, file := range files.items {
			input.Files = append(input.Files, InputFile{
				Name:      d.text(file.get("name")),
				MediaType: d.text(file.get("media_type")),
				Size:      d.size(file.get("size")),
				Missing:   d.bool(file.get("missing")),
			})
		}
	}
	return input
}

// longText is a text, or a map that says how to make one.
func (d decoder) longText(n *node) Text {
	if n.kind != mapNode {
		return Text{Value: d.text(n)}
	}
	return Text{Repeat: d.text(n.get("repeat")), Bytes: int(d.size(n.get("bytes")))}
}
