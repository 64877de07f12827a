package scenarios

import (
	"strings"
	"testing"
)

func TestVariables(t *testing.T) {
	t.Parallel()
	refuse(t, []refusal{
		{"not used", "vars: {pase: 1s}\nsettle: ${pause}\n", []string{
			"3:8: pase is not used anywhere; ${pause} is",
			"4:9: unknown placeholder ${pause}: it is no variable of the scenario",
		}},
		{"real without vars", "vars: {pause: 1s}\nreal: {vars: {puse: 1s}}\nsettle: ${pause}\n", []string{
			`4:15: real.vars changes "puse", which is not in vars, did you mean "pause"?`,
		}},
		{"in both", "vars: {a: 1s}\neach: {a: [1s, 2s]}\nsettle: ${a}\n", []string{"4:8: a is in vars and in each"}},
		{"a value twice", "each: {a: [1s, 2s, 1s]}\nsettle: ${a}\n", []string{`3:20: "1s" is in the list twice`}},
		{"names", "vars: {A: 1}\neach: {b-c: [1]}\nendpoints: {No: {side: runtime}}\n", []string{
			`3:8: A is not used anywhere`,
			`3:8: want a name of small letters, digits and underscores that begins with a letter, here "A"`,
			`4:8: b-c is not used anywhere`,
			`4:8: want a name of small letters, digits and underscores that begins with a letter, here "b-c"`,
			`5:13: want a name of small letters, digits, hyphens and underscores that begins with a letter, here "No"`,
		}},
		{"reserved", "vars: {absent: 1s}\nsettle: ${absent}\n", []string{`3:8: "absent" is a name that placeholders have already: take another`}},
		{
			"too many cases",
			"each: {a: [1, 2, 3, 4, 5], b: [1, 2, 3, 4, 5], c: [1, 2, 3]}\nabout2: ${a}${b}${c}\n",
			[]string{
				"3:1: each makes more than 64 cases: split the scenario",
				`4:1: unknown member "about2", did you mean "about"?`,
			},
		},
		{"wrong once it is filled in", "each: {s: [200, abc, 99]}\nwhen:\n  runtime.get_task:\n    - reply: {detail: {http: \"${s}\"}}\n", []string{
			`6:30: want an HTTP status, 200 to 999, here "abc" (from ${s})`,
		}},
		{
			"the wrong type once it is filled in",
			"vars: {number: 5, text: x, minus: -1s}\ncalls:\n  - send:\n      message: ${number}\n      json_repair_attempts: ${text}\n" +
				"      strict_dictionary: ${text}\n    after: ${minus}\n    cancel_after: ${number}\n",
			[]string{
				"6:16: want a text, or {repeat: text, bytes: size}, here 5 (from ${number})",
				`7:29: want a number or null, here "x" (from ${text})`,
				`8:26: want true, false or null, here "x" (from ${text})`,
				`9:12: want a duration with a unit, such as 1500ms or 24h, here "-1s" (from ${minus})`,
				"10:19: want a duration with a unit, such as 1500ms or 24h, here 5 (from ${number})",
			},
		},
		{"a bomb", "vars: {a: " + strings.Repeat("x", 50_000) + "}\ncalls: [{send: {message: \"" + strings.Repeat("${a}", 100) + "\"}}]\n", []string{
			"4:26: the placeholders up to here make more than 4 MiB: let repeat and bytes make what is long",
		}},
		{"a bomb of lists", "vars: {a: [" + strings.Repeat("1, ", 2000) + "1]}\nwhen:\n  runtime.send_message:\n    - reply: {raw: {status: 200, body: [" + strings.Repeat("'${a}', ", 100) + "1]}}\n", []string{
			"6:297: the placeholders up to here make more than 4 MiB: let repeat and bytes make what is long",
		}},
		{"whole replies", "each: {r: [{message: {}}, {mesage: {}}, {detail: {http: 99}}], w: [{head_after: 1}, \"${absent}\"]}\nwhen:\n  runtime.send_message:\n    - reply: ${r}\n      wire: ${w}\n", []string{
			`3:28: unknown member "mesage", did you mean "message"?`,
			"3:57: want an HTTP status, 200 to 999, here 99",
			"3:81: want a duration with a unit, such as 1500ms or 24h, here 1",
		}},
		{"inside a text", "each: {s: [[1], \"${absent}\"]}\ncalls: [{send: {message: \"a ${s}\"}}]\n", []string{
			"4:26: ${s} is a list of 1 and cannot be written inside a text",
		}},
		{"absent inside a text", "calls: [{send: {message: \"a ${absent}\"}}]\n", []string{
			"3:26: ${absent} stands inside a text: it can only take the place of a whole value",
		}},
		{"a variable in a variable", "vars: {a: 1s, b: \"${a}\"}\nsettle: ${b}\n", []string{
			"3:8: a is not used anywhere",
			"4:9: unknown placeholder ${a}: the value of a variable cannot use another one",
		}},
		{"no end", "calls: [{send: {message: \"a ${b\"}}]\n", []string{"3:26: a placeholder without its end: want ${name}"}},
		{"keys that become one", "vars: {k: /a}\nwhen:\n  runtime.get_task:\n    - reply: {task: {}, with: {set: {/a: 1, \"${k}\": 2}}}\n", []string{
			`6:45: "/a" is here twice once its placeholders are filled in`,
		}},
	})
}

func TestReferences(t *testing.T) {
	t.Parallel()
	refuse(t, []refusal{
		{"earlier calls", "needs: [command]\ncalls:\n  - send: {}\n    id: first\n  - send: {message_id: \"${first.message_id}\", message: \"${first.printed_id} ${session.main.uid} ${runtime.url}\"}\n", nil},
		{"later calls", "calls:\n  - send: {message_id: \"${call-2.message_id}\"}\n  - send: {}\n", []string{
			"4:24: unknown placeholder ${call-2.message_id}: what a call returned can be used in the calls of later steps only",
		}},
		{"calls beside", "calls:\n  - together: [{send: {}}, {send: {message_id: \"${call-1.message_id}\"}}]\n", []string{
			"4:48: unknown placeholder ${call-1.message_id}: what a call returned can be used in the calls of later steps only",
		}},
		{"other members", "calls:\n  - send: {}\n  - send: {message: \"${call-1.answer}\"}\n", []string{
			"5:21: unknown placeholder ${call-1.answer}: of a call there are message_id, printed_id, task_id",
		}},
		{"a request in a call", "calls: [{send: {message: \"${request.message_id}\"}}]\n", []string{
			"3:26: unknown placeholder ${request.message_id}: only replies know a request, and of it message_id, context_id, task_id",
		}},
		{"in replies", "when:\n  platform.resolve_access:\n    - reply: {ready: {token: one}}\n  runtime.send_message:\n" +
			"    - reply: {raw: {status: 200, header: {X-A: \"${runtime.origin}\"}, body: {a: \"${request.message_id}\", b: \"${token.one} ${agent.uid}\"}}}\n", nil},
		{"misspelt", "when:\n  runtime.send_message:\n    - reply: {detail: {http: 500, text: \"${session.uuid} ${absent}\"}}\n", []string{
			"5:41: ${absent} stands inside a text: it can only take the place of a whole value",
			`5:41: unknown placeholder ${session.uuid}, did you mean "session.uid"?`,
		}},
		{"endpoints", "endpoints: {moved: {side: runtime}, runtime: {side: runtime}, p2: {side: platform, prefix: a}}\ncalls:\n" +
			"  - send: {}\n    backend: moved\n  - send: {}\n    backend: p3\n  - send: {}\n    backend: p2\nwhen:\n  platform.resolve_access:\n" +
			"    - reply: {ready: {rpc_url: mooved}}\n    - reply: {redirect: {status: 302, to: elsewhere}}\n    - reply: {redirect: {status: 302, to: moved}}\n" +
			"    - reply: {redirect: {status: 302, to: \"http://h/x\"}}\n    - reply: {redirect: {status: 200, to: /x}}\n", []string{
			`3:37: every scenario has a "runtime" of its own: take another name`,
			`3:92: want a path such as /p/q, here "a"`,
			`6:14: endpoint "moved" is of side "runtime", want one of side "platform"`,
			`8:14: unknown endpoint "p3"; known are moved, p2, platform, runtime`,
			`13:32: unknown endpoint "mooved", did you mean "moved"?`,
			`14:43: unknown endpoint "elsewhere"; known are moved, p2, platform, runtime`,
			`17:34: want an HTTP status, 300 to 399, here 200`,
		}},
	})
}

func TestCallsAndExpectations(t *testing.T) {
	t.Parallel()
	refuse(t, []refusal{
		{"ids", "endpoints: {other: {side: elsewhere}}\ncalls:\n  - send: {}\n    id: call-2\n  - send: {}\n  - send: {}\n    id: session\n  - send: {}\n    id: other\n  - together: [{send: {}, id: is}]\n", []string{
			`7:5: the call at line 6 is called "call-2" already`,
			`9:9: a call cannot be called "session": placeholders or results would not know what is meant`,
			`11:9: a call cannot be called "other": placeholders or results would not know what is meant`,
			`12:31: a call cannot be called "is": placeholders or results would not know what is meant`,
		}},
		{"what belongs to a call", "calls:\n  - pause: 1s\n    client: b\n  - together: [{send: {}}]\n    after: 1s\n  - pause: 0s\n", []string{
			"5:5: client belongs to a call, not to a step that is a pause",
			"7:5: after belongs to a call, not to a step that is a together",
			`8:12: want a duration with a unit, such as 1500ms or 24h, more than zero, here "0s"`,
		}},
		{"given up at once", "calls:\n  - send: {}\n    cancel_after: 0s\n", []string{
			"5:19: a call that is given up at once makes no request that could be judged: let it run for a while",
		}},
		{"results", "calls: [{send: {}}, {send: {}}]\nexpect: {calls: {runtime.send: 1, runtime.get_task: -1}, result: {is: message}}\n", []string{
			`4:18: unknown operation "runtime.send", did you mean "runtime.send_message"?`,
			"4:53: want a whole number, 0 or more, here -1",
			"4:66: the scenario has 2 calls: say which one, as in result: {call-1: {is: …}}",
		}},
		{"results of calls", "calls: [{send: {}}, {send: {}}]\nexpect: {result: {call-1: {is: massage}, cal-2: {is: task}, call-2: {}}}\n", []string{
			`4:32: want message, task, or a category of errors, here "massage", did you mean "message"?`,
			`4:42: no call has the id "cal-2", did you mean "call-2"?`,
			`4:61: "is" is missing`,
		}},
		{"a generated text", "vars: {m: {repeat: \"\", bytes: 99999999}}\ncalls: [{send: {message: \"${m}\"}}]\n", []string{
			`3:20: want a text that is not empty, here ""`,
			`3:31: want a number of bytes, 0 to 67108864 (64 MiB), here 99999999`,
		}},
		{"timeouts", "each: {t: [soon, [1s], {a: 1}]}\ncalls: [{send: {timeout: \"${t}\"}}]\n", []string{
			"3:18: want a time such as 30s, a pair [connect, read] of such times, or null, here a list of 1",
			"3:24: want a time such as 30s, a pair [connect, read] of such times, or null, here a map of 1",
			`4:26: want a time such as 30s, a pair [connect, read] of such times, or null, here "soon" (from ${t})`,
		}},
	})
}

func TestSteps(t *testing.T) {
	t.Parallel()
	const send = "when:\n  runtime.send_message:\n"
	refuse(t, []refusal{
		{"never reached", send + "    - times: any\n      reply: {message: {}}\n    - reply: {task: {}}\n    - reply: {task: {}}\n", []string{
			"7:7: this step is never reached: the one at line 5 takes every request from then on",
			"8:7: this step is never reached: the one at line 5 takes every request from then on",
		}},
		{"reached", send + "    - times: any\n      if: {header: {A: \"\"}}\n      reply: {message: {}}\n    - for: 3s\n      reply: {task: {}}\n    - reply: {task: {}}\n", nil},
		{"times", send + "    - times: 0\n      reply: {message: {}}\n    - times: often\n      reply: {message: {}}\n    - for: 1s\n      times: any\n      reply: {message: {}}\n    - for: 0s\n      reply: {message: {}}\n", []string{
			"5:14: want a whole number, 1 or more, or the word any, here 0",
			`7:14: want a whole number, 1 or more, or the word any, here "often"`,
			"9:7: for and times exclude each other: for already means any number of times within it",
			`12:12: want a duration with a unit, such as 1500ms or 24h, more than zero, here "0s"`,
		}},
		{"times from a variable", "vars: {n: often}\n" + send + "    - times: ${n}\n      reply: {message: {}}\n", []string{
			`6:14: want a whole number, 1 or more, or the word any, here "often" (from ${n})`,
		}},
		{"conditions", send + "    - if: {token: plat, call: cal-1, client: b, session: man, after: runtime.send#2}\n      reply: {message: {}}\n", []string{
			`5:19: no reply hands out a token named "plat", did you mean "platform"?`,
			`5:31: no call has the call "cal-1", did you mean "call-1"?`,
			`5:46: no call has the client "b"; known are a`,
			`5:58: no call has the session "man", did you mean "main"?`,
			`5:70: unknown operation "runtime.send", did you mean "runtime.send_message"?`,
		}},
		{"after which", "vars: {n: 0}\n" + send + "    - if: {after: \"runtime.send_message#${n}\"}\n      reply: {message: {}}\n", []string{
			`6:19: want an operation and which of its exchanges, such as platform.resolve_access#2, here "runtime.send_message#0"`,
		}},
		{"replies of another operation", "when:\n  platform.resolve_access: [{reply: {message: {}}}]\n  platform.get_agent: [{reply: {ready: {}}}, {reply: {default: {}}}, {reply: {rpc_error: {http: 504}}}]\n  runtime.get_task: [{reply: {default: {}}}, {reply: {stop: {state: x}}}]\n", []string{
			"4:38: message is no answer to platform.resolve_access: for an answer that is wrong on purpose use raw, or with",
			"5:33: ready is no answer to platform.get_agent: for an answer that is wrong on purpose use raw, or with",
			"5:79: rpc_error is no answer to platform.get_agent: for an answer that is wrong on purpose use raw, or with",
			"6:31: default is no answer to runtime.get_task: for an answer that is wrong on purpose use raw, or with",
			"6:55: stop is no answer to runtime.get_task: for an answer that is wrong on purpose use raw, or with",
		}},
		{"text and parts", send + "    - reply: {message: {text: a, parts: []}}\n", []string{"5:34: text and parts exclude each other"}},
		{"with", send + "    - reply: {raw: {status: 200}, with: {remove: [/a]}}\n    - reply: {task: {}, with: {set: {a: 1}, remove: [b]}}\n", []string{
			"5:35: with edits the body of an answer that a server makes: here write the body as it is to be",
			`6:38: want a JSON pointer such as /message/role, here "a"`,
			`6:54: want a JSON pointer such as /message/role, here "b"`,
		}},
		{"the platform's token", "when:\n  platform.resolve_access:\n    - reply: {ready: {token: platform}}\n    - reply: {wait: {state: x, retry_after: 1us}}\n", []string{
			"5:30: platform is the name of the platform's own token: take another",
			`6:45: want whole milliseconds (for a broken retry_after_ms use with), here "1us"`,
		}},
		{"base64", send + "    - reply: {raw: {status: 200, body_base64: \"*\"}}\n", []string{`5:47: want base64 with its padding, here "*"`}},
	})
}

func TestWireThatMakesNoSense(t *testing.T) {
	t.Parallel()
	step := func(wire string) string {
		return "when:\n  runtime.send_message:\n    - reply: {message: {}}\n      wire: {" + wire + "}\n"
	}
	bytes := func(wire string) string {
		return "when:\n  runtime.send_message:\n    - reply: {bytes: HTTP}\n      wire: {" + wire + "}\n"
	}
	refuse(t, []refusal{
		{"all at once", step("head_after: 1s, gzip: true, content_type: null, content_length: 4, informational: [100], early: true, cut: {after: 4, how: close}, pace: {bytes: 1, every: 1ms}"), nil},
		{"early and upload", step("early: true, upload: {stop_after: 1}"), []string{
			"6:14: early answers before the request's body is read and upload reads it slowly: take one of the two",
		}},
		{"finish and cut", step("finish: close, cut: {after: 4, how: close}"), []string{
			"6:14: finish ends a whole answer and cut ends it before: take one of the two",
		}},
		{"cut after the request", step("cut: {after: request, how: hang}, head_after: 1s, pace: {bytes: 1, every: 1ms, head: true}, gzip: true"), []string{
			"6:14: on real time a call without a timeout of 30s or less waits here for its default of 905s: give it one, or say slow: true or clock: virtual",
			"6:48: an answer that hangs after the request has no head to hold back",
			"6:64: an answer that is cut after the request has nothing to send in pieces",
			"6:106: an answer that is cut before its body has none to compress",
		}},
		{"cut after the status line", step("cut: {after: status-line, how: reset}, pace: {bytes: 1, every: 1ms}, content_type: a/b, content_length: 4"), []string{
			"6:53: an answer that is cut before its body has nothing to send in pieces: add head: true",
			"6:83: an answer that is cut before its headers has no content type",
			"6:102: an answer that is cut before its headers announces no length",
		}},
		{"paced head, cut after it", step("cut: {after: headers, how: reset}, pace: {bytes: 1, every: 1ms, head: true}, content_length: 4"), nil},
		{"bytes", bytes("cut: {after: headers, how: close}, gzip: true, content_type: a, content_length: 1, informational: [100]"), []string{
			"6:14: of bytes a server does not know where the head ends: cut after a number of bytes",
			"6:49: an answer that is cut before its body has none to compress",
			"6:49: bytes go out as they are: compress them yourself",
			"6:61: bytes have their own head: write the content type there",
			"6:78: bytes have their own head: write the length there",
			"6:97: bytes have their own head: write the informational answers there",
		}},
		{"a body that is not there", "when:\n  runtime.get_task:\n    - reply: {task: {}}\n      wire: {upload: {stop_after: 1}}\n    - reply: {task: {}}\n      wire: {early: true}\n", []string{
			"6:14: runtime.get_task is a GET: there is no body to read slowly",
			"8:14: runtime.get_task is a GET: there is no body that could be left unread",
		}},
		{"a condition on a body that is not read", "when:\n  runtime.send_message:\n    - if: {body: {a: 1}}\n      reply: {message: {}}\n      wire: {early: true}\n", []string{
			"5:12: a step that answers early or reads the upload slowly cannot ask for the body: it is chosen before the body is read",
		}},
		{"informational", step("informational: [99, 200]"), []string{
			"6:30: want an informational status, 100 to 199, here 99", "6:34: want an informational status, 100 to 199, here 200",
		}},
	})
}

func TestBudgetTies(t *testing.T) {
	t.Parallel()
	tie := func(what, end, call, after string) string {
		return what + " falls exactly on " + end + " of call \"" + call + "\", " + after +
			" after its start: which comes first would be left to chance; move it by a millisecond or more"
	}
	const resolve = "when:\n  platform.resolve_access:\n"
	wait := func(retry string) string { return "    - reply: {wait: {state: waking, retry_after: " + retry + "}}\n" }
	refuse(t, []refusal{
		{"near is fine", "calls: [{send: {timeout: 3}}]\n" + resolve + wait("3001ms") + wait("2999ms"), nil},
		{"one wait", "calls: [{send: {timeout: 3}}]\n" + resolve + wait("3s"), []string{"6:37: " + tie("retry_after", "the timeout (3s)", "call-1", "3s")}},
		{"the sum of waits", "calls: [{send: {timeout: 3s}}]\n" + resolve + wait("1s") + "    - times: any\n      reply: {wait: {state: waking, retry_after: 500ms}}\n", []string{
			"8:37: " + tie("retry_after", "the timeout (3s)", "call-1", "3s"),
		}},
		{"waits within a window", "calls: [{send: {timeout: 3s}}]\n" + resolve + "    - for: 1s\n      reply: {wait: {state: waking, retry_after: 700ms}}\n" + wait("1600ms"), []string{
			"8:37: " + tie("retry_after", "the timeout (3s)", "call-1", "3s"),
		}},
		{"through a send and a rejection", "calls: [{send: {timeout: 3s}}]\n" + resolve + "    - times: 2\n      reply: {ready: {}}\n  runtime.send_message:\n" +
			"    - reply: {detail: {http: 401}}\n      wire: {head_after: 1s}\n    - reply: {message: {}}\n      wire: {head_after: 2s}\n", []string{
			"12:14: " + tie("head_after", "the timeout (3s)", "call-1", "3s"),
		}},
		{"not beyond an answer that ends the call", "calls: [{send: {timeout: 3s}}]\n" + resolve + "    - reply: {detail: {http: 503}}\n" + wait("1s") + wait("2s") +
			"  runtime.send_message:\n    - reply: {rpc_error: {http: 403}}\n", nil},
		{"not beyond a cut", "calls: [{send: {timeout: 3s}}]\n" + resolve + "    - reply: {wait: {state: waking, retry_after: 1s}}\n      wire: {cut: {after: 4, how: close}}\n" + wait("2s"), nil},
		{"a wait without a time", "calls: [{send: {timeout: 3s}}]\n" + resolve + "    - times: any\n      reply: {wait: {state: waking}}\n", nil},
		{"any number of times through raw rejections", "calls: [{send: {timeout: 3s}}]\n" + resolve + "    - times: any\n      reply: {ready: {}}\n      wire: {head_after: 500ms}\n" +
			"  runtime.send_message:\n    - times: any\n      reply: {raw: {status: 403}}\n      wire: {head_after: 1s}\n", []string{
			"12:14: " + tie("head_after", "the timeout (3s)", "call-1", "3s"),
		}},
		{"a piece each three seconds", "calls: [{send: {timeout: [1s, 3s]}}]\nwhen:\n  runtime.send_message:\n    - reply: {message: {}}\n      wire: {pace: {bytes: 1, every: 3s}}\n", []string{
			"7:14: " + tie("pace", "the read timeout (3s)", "call-1", "3s"),
		}},
		{"a pair", "calls: [{send: {timeout: [2s, 4s]}}]\nwhen:\n  runtime.send_message:\n    - reply: {message: {}}\n      wire: {head_after: 6s}\n" +
			"    - reply: {message: {}}\n      wire: {head_after: 4s}\n    - reply: {message: {}}\n      wire: {head_after: 2s}\n", []string{
			"7:14: " + tie("head_after", "the total (2s + 4s)", "call-1", "6s"),
			"9:14: " + tie("head_after", "the read timeout (4s)", "call-1", "4s"),
			"11:14: " + tie("head_after", "the connect timeout (2s)", "call-1", "2s"),
		}},
		{"the default", "clock: virtual\nwhen:\n  runtime.send_message:\n    - reply: {message: {}}\n      wire: {head_after: 15m}\n    - reply: {message: {}}\n      wire: {head_after: 5s}\n", []string{
			"7:14: " + tie("head_after", "the read timeout (15m)", "call-1", "15m"),
		}},
		{"the Message limit", "clock: virtual\ncalls: [{send: {timeout: 90s}}]\nwhen:\n  runtime.send_message: [{reply: {message_limit: {}}}]\n", []string{
			"6:35: " + tie("message_limit", "the timeout (1m30s)", "call-1", "1m30s"),
		}},
		{"a drip", "calls: [{send: {timeout: 3s}}]\nwhen:\n  runtime.send_message:\n    - reply: {raw: {status: 200, body: abcd}}\n      wire: {pace: {bytes: 1, every: 1s}}\n" +
			"    - reply: {raw: {status: 200, body: ab}}\n      wire: {pace: {bytes: 2, every: 1s}}\n    - reply: {bytes: abcd}\n      wire: {pace: {bytes: 1, every: 750ms}}\n", []string{
			"7:14: " + tie("pace", "the timeout (3s)", "call-1", "3s"),
			"11:14: " + tie("pace", "the timeout (3s)", "call-1", "3s"),
		}},
		{"an upload and informational answers", "calls: [{send: {timeout: 3s}}]\nwhen:\n  runtime.send_message:\n    - reply: {message: {}}\n      wire: {upload: {bytes: 10, every: 1s}}\n" +
			"    - reply: {message: {}}\n      wire: {informational: {statuses: [100], every: 1s, times: 2}}\n" +
			"    - reply: {message: {}}\n      wire: {informational: {statuses: [100], every: 1s, times: any}}\n", []string{
			"7:14: " + tie("upload", "the timeout (3s)", "call-1", "3s"),
			"11:14: " + tie("informational", "the timeout (3s)", "call-1", "3s"),
		}},
		{"after the caller has given up", "calls: [{send: {timeout: 3s}, cancel_after: 2500ms}]\n" + resolve + "    - times: any\n      reply: {wait: {state: waking, retry_after: 1s}}\n", nil},
		{"another call's answer", "calls: [{send: {timeout: 3s}}, {send: {timeout: 4s}}]\nwhen:\n  runtime.send_message:\n    - if: {call: call-2}\n      reply: {message: {}}\n      wire: {head_after: 3s}\n", nil},
		{"giving up", "calls:\n  - pause: 1s\n  - send: {}\n  - together:\n      - get_task: {timeout: 3s}\n        cancel_after: 3s\n      - cancel_task: {timeout: 3s}\n", []string{
			"8:9: " + tie("cancel_after", "the timeout (3s)", "call-2", "3s"),
		}},
	})
}

func TestSlowScenariosSaySo(t *testing.T) {
	t.Parallel()
	long := func(what, length string) string {
		return what + " of " + length + " is more than 30s on real time: give real.vars a shorter value, or say slow: true or clock: virtual"
	}
	const waiting = "when:\n  platform.resolve_access:\n    - reply: {wait: {state: waking, retry_after: \"${pause}\"}}\n"
	refuse(t, []refusal{
		{"long", "vars: {pause: 61s}\nsettle: 40s\ncalls: [{send: {}}, {pause: 31s}]\n" + waiting, []string{
			"4:1: " + long("settle", "40s"), "5:22: " + long("pause", "31s"), "8:37: " + long("retry_after", "1m1s"),
		}},
		{"shorter on real time", "vars: {pause: 61s}\nreal: {vars: {pause: 1s}}\n" + waiting, nil},
		{"slow", "slow: true\nvars: {pause: 61s}\n" + waiting, nil},
		{"virtual", "clock: virtual\nvars: {pause: 61s}\n" + waiting, nil},
		{"a short budget ends it", "vars: {pause: 24h}\ncalls: [{send: {timeout: 2s}}, {send: {}, cancel_after: 2s}]\n" + waiting, nil},
		{"a hang", "when:\n  runtime.send_message:\n    - reply: {message: {}}\n      wire: {cut: {after: 4, how: hang}}\n", []string{
			"6:14: on real time a call without a timeout of 30s or less waits here for its default of 905s: give it one, or say slow: true or clock: virtual",
		}},
	})
}
