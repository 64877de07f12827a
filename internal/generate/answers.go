package generate

import (
	"time"
)

// answers draws the queues. Each ends with a step that answers for ever, so that nothing is asked in vain.
func (d *draw) answers() object {
	when := object{{"platform.resolve_access", d.queue(true, d.access, d.lastAccess)}}
	when = append(when, member{"runtime.send_message", d.queue(true, d.sent, func() object { return object{{"message", object{}}} })})
	if d.tasks {
		if d.percent(35) {
			when = when.with("platform.get_session", d.queue(false, d.session, byDefault))
		}
		if d.percent(50) {
			when = when.with("platform.get_agent", d.queue(false, d.agent, byDefault))
		}
	}
	if d.taskOps {
		when = when.with("runtime.get_task", d.queue(false, d.task, d.finished))
		when = when.with("runtime.cancel_task", d.queue(false, d.task, d.finished))
	}
	return when
}

func byDefault() object { return object{{"default", object{}}} }

// queue draws up to three steps and the last one. Where requests have a body it may be left unread.
func (d *draw) queue(body bool, reply, last func() object) []any {
	var steps []any
	for range d.IntN(4) {
		step := object{}
		if d.percent(15) {
			step = step.with("times", 2)
		}
		steps = append(steps, d.onTheWay(body, append(step, answer(reply())...)))
	}
	end := append(object{{"times", plain("any")}}, answer(last())...)
	return append(steps, end)
}

// answer puts the kind of a reply into a step, and beside it what breaks its body.
func answer(reply object) object {
	if i := len(reply) - 1; i > 0 && reply[i].key == "with" {
		return object{{"reply", object{reply[0], reply[i]}}}
	}
	return object{{"reply", reply}}
}

func (d *draw) lastAccess() object {
	if d.percent(15) {
		return d.wait(d.whole(5*time.Second, 30*time.Second))
	}
	return d.ready()
}

// access draws an answer of the platform.
func (d *draw) access() object {
	switch n := d.IntN(100); {
	case n < 30:
		return d.ready()
	case n < 40:
		return append(d.ready(), member{"with", d.brokenAdmission()})
	case n < 68:
		return d.wait(d.whole(0, 20*time.Second))
	case n < 72:
		return d.wait(one[any](d, nil, plain("24h"), plain("0ms")))
	case n < 76:
		return append(d.wait(d.whole(0, 5*time.Second)), member{"with", d.brokenDirection()})
	case n < 82:
		stop := object{{"state", one(d, "unavailable", "update_failed", "update_required", "ready", "never heard of")}}
		return object{{"stop", stop.with("notice", one(d, "Out of order.", "Sold."))}}
	case n < 90:
		return d.refusal()
	case n < 93:
		return d.redirect()
	default:
		return object{{"raw", object{{"status", one(d, 200, 200, 201, 500)}, {"body", one[any](d, "<html>", "", "[]", "{", "null", "{}")}}}}
	}
}

func (d *draw) ready() object {
	in := object{}
	if d.percent(40) {
		in = in.with("token", one(d, "first", "second"))
	}
	if d.percent(45) {
		in = in.with("expires_in", one[any](d, nil, plain("1s"), plain("20s"), plain("45s"), plain("10m"), plain("-5s")))
	}
	if runtime := one(d, d.runtimes...); runtime != "runtime" {
		in = in.with("rpc_url", runtime)
	}
	if d.percent(25) {
		in = in.with("state", one(d, "warning", "waking", "update_required", "unavailable", "never heard of"))
	}
	return object{{"ready", in}}
}

func (d *draw) brokenAdmission() object {
	const submit = "/runtime_interaction/can_submit"
	return one(d,
		set(submit, nil), set(submit, 0), set(submit, 1), set(submit, "true"), set(submit, "false"), set(submit, false),
		remove(submit), remove("/runtime_interaction"), remove("/token"), set("/token", nil), set("/token", " "),
		remove("/rpc_url"), set("/rpc_url", nil), set("/rpc_url", "no address"), set("/mode", "unavailable"),
		remove("/runtime_presence"), set("/is_ready", false), set("/runtime_presence/phase", "failed"), remove("/mode"),
		set("/runtime_interaction/notice", object{{"severity", "error"}, {"title", "Beware"}}), set("/expires_at", "some day"),
	)
}

func (d *draw) brokenDirection() object {
	const after = "/runtime_interaction/retry_after_ms"
	return one(d, remove(after), set(after, -1), set(after, "1500"), set(after, true), set(after, object{}),
		set("/runtime_interaction/can_submit", nil), remove("/runtime_interaction/can_submit"), remove("/runtime_interaction/state"),
		set("/is_ready", true), set("/runtime_presence/phase", "serving"))
}

func set(pointer string, value any) object { return object{{"set", object{{pointer, value}}}} }

func remove(pointer string) object { return object{{"remove", []any{pointer}}} }

func (d *draw) wait(after any) object {
	in := object{{"state", one(d, "checking", "starting", "waking", "updating")}, {"retry_after", after}}
	if d.percent(20) {
		in = in.with("notice", "Nearly there.")
	}
	return object{{"wait", in}}
}

// refusal draws an error of either server.
func (d *draw) refusal() object {
	status := one(d, 400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504)
	in := object{{"http", status}, {"text", "No."}}
	if d.percent(25) {
		in = in.with("header", object{{"Retry-After", one(d, "0", "1", "7")}})
	}
	return object{{"detail", in}}
}

func (d *draw) redirect() object {
	return object{{"redirect", object{{"status", one(d, 301, 302, 303, 307, 308)}, {"to", one(d, d.runtimes[0], "platform", "/elsewhere")}}}}
}

// sent draws an answer to a message.
func (d *draw) sent() object {
	switch n := d.IntN(100); {
	case n < 25:
		return object{{"message", object{{"text", one(d, "An answer.", "", "0", "Füße\n")}}}}
	case n < 33:
		return object{{"message", object{{"parts", []any{one[any](d, object{{"data", nil}}, object{{"data", object{{"n", 0}}}}, object{{"raw", "AAAA"}, {"filename", "a.bin"}}), object{{"text", "more"}}}}}}}
	case n < 42:
		return append(object{{"message", object{}}}, member{"with", d.brokenMessage()})
	case n < 52:
		return d.taskOf("task-1")
	case n < 70:
		return object{{"detail", object{{"http", one(d, 401, 403)}, {"text", "Not you."}}}}
	case n < 76:
		return object{{"message_limit", object{{"after", d.between(20*time.Second, 91*time.Second)}}}}
	case n < 80:
		return object{{"rpc_error", object{{"http", one(d, 504, 502)}, {"status", "DEADLINE_EXCEEDED"}, {"message", "Over."}, {"reason", one(d, "MESSAGE_RESPONSE_LIMIT_EXCEEDED", "OTHER")}, {"domain", one(d, "mainsequence.ai", "a2a-protocol.org")}}}}
	case n < 92:
		return d.refusal()
	case n < 95:
		return d.redirect()
	default:
		return object{{"raw", object{{"status", one(d, 200, 200, 202, 401, 504)}, {"body", one[any](d, "<html>", "", "[]", "{", "{}", "{} {}")}}}}
	}
}

func (d *draw) brokenMessage() object {
	return one(d, set("/message/role", "ROLE_USER"), set("/message/role", "ROLE_RESPONDER"), remove("/message/role"), set("/message/messageId", " "),
		remove("/message/messageId"), set("/message/parts", []any{}), remove("/message/parts"), set("/message/contextId", nil),
		set("/message/contextId", "another"), set("/task", object{{"id", "t"}}), set("/task", nil), remove("/message"), set("/message/extra", object{{"kept", false}}))
}

// asked is the Task that a request names.
const asked = "${request.task_id}"

// task draws an answer with a Task that was asked for, or a refusal.
func (d *draw) task() object { return d.taskOf(asked) }

// taskOf draws an answer with a Task, or a refusal.
func (d *draw) taskOf(id string) object {
	switch n := d.IntN(100); {
	case n < 60:
		in := object{{"id", id}, {"state", one(d, "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_INPUT_REQUIRED")}}
		if d.percent(25) {
			in = in.with("bare", true)
		}
		return object{{"task", in}}
	case n < 70:
		return append(object{{"task", object{{"id", id}}}}, member{"with", one(d, remove("/task/id"), set("/task/status/state", "completed"), remove("/task/status"), set("/task/contextId", "another"), set("/message", object{{"role", "ROLE_AGENT"}}))})
	default:
		return d.refusal()
	}
}

func (d *draw) finished() object {
	return object{{"task", object{{"id", asked}, {"state", one(d, "TASK_STATE_COMPLETED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED", "TASK_STATE_WORKING")}}}}
}

func (d *draw) session() object {
	if d.percent(50) {
		return append(byDefault(), member{"with", one(d, remove("/agent_uid"), set("/agent_uid", nil), set("/agent_uid", 7))})
	}
	return d.refusal()
}

func (d *draw) agent() object {
	if d.percent(65) {
		const kinds = "/a2a_profile/supported_response_kinds"
		return append(byDefault(), member{"with", one(d, remove("/a2a_profile"), set("/a2a_profile", nil), set(kinds, []any{"message"}), set(kinds, "task"), set(kinds, []any{"task"}), set(kinds, nil), set(kinds, []any{1}))})
	}
	return d.refusal()
}
