package suites

import (
	"fmt"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// limitInfo is the ErrorInfo of the Message limit; limit is its limitSeconds as JSON.
func limitInfo(limit string) string {
	return fmt.Sprintf(`{"@type":%q,"reason":%q,"domain":%q,"metadata":{"limitSeconds":%s}}`,
		evidence.ErrorInfoType, evidence.LimitReason, evidence.LimitDomain, limit)
}

// limitBody is the error of the Message limit with these details.
func limitBody(details string) string {
	return `{"error":{"code":504,"status":"DEADLINE_EXCEEDED","message":"canary words","details":[` + details + `]}}`
}

// limited answers with the Message limit.
func limited(body string) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		status(504, body)(x)
		responseHeader("Content-Type", mediaType)(x)
	}
}

// atLimit is a call whose send was answered like that, not yet ended.
func atLimit(body string, edit ...func(*evidence.Exchange)) *tape {
	return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", append([]func(*evidence.Exchange){limited(body)}, edit...)...)
}

// theLimit is the documented one.
func theLimit() *tape { return atLimit(limitBody(limitInfo(`"90"`))) }

const wayOut = `The Agent did not answer within the platform's limit of 90 seconds; use response_kind="task".`

// limitError is how a right client ends at the limit of so many seconds, 0 for no number.
func (t *tape) limitError(seconds float64, edit ...func(*evidence.Error)) *tape {
	return t.fails(0.005, evidence.MessageLimit, append([]func(*evidence.Error){func(e *evidence.Error) {
		e.Is, e.Text = []evidence.Category{evidence.MessageLimit, evidence.ServerFailed}, wayOut
		if seconds != 0 {
			e.LimitSeconds = &seconds
		}
	}}, edit...)...)
}

// shown sets the text of an error.
func shown(text string) func(*evidence.Error) { return func(e *evidence.Error) { e.Text = text } }

// named sets the name of an error.
func named(name string) func(*evidence.Error) { return func(e *evidence.Error) { e.Name = name } }

func TestLimitError(t *testing.T) {
	t.Parallel()
	seconds := func(limit string) *tape { return atLimit(limitBody(limitInfo(limit))) }
	useless := func(limit string) *tape { return seconds(limit).limitError(0) }
	bare := swap(limitInfo(`"90"`), `,"metadata":{"limitSeconds":"90"}`, "")
	prove(t, []proof{
		{"LIM-01", "right", theLimit().limitError(90), Passed, ""},
		{"LIM-01", "server error", theLimit().fails(0.005, evidence.ServerFailed), Failed, "the call ended with server_error"},
		{"LIM-01", "returned", theLimit().returns(0.005, answered()), Failed, "returned a message"},
		{"LIM-01", "untold", theLimit().fails(0.005, ""), "", ""},
		{"LIM-01", "ordinary answer", plain(), "", ""},
		{"LIM-01", "given up before it came", theLimit().fails(0.0035, evidence.TimedOut), "", ""},
		{"LIM-01", "budget over", newTape().call(0, timeout(0.004)).send(0.003, token1, "", limited(limitBody(limitInfo(`"90"`)))).fails(0.005, evidence.TimedOut), "", ""},
		{"LIM-01", "read phase over", newTape().call(0, pair(5, 0.001)).send(0.003, token1, "", limited(limitBody(limitInfo(`"90"`)))).fails(0.005, evidence.TimedOut), "", ""},
		{"LIM-01", "read phase kept", newTape().call(0, pair(5, 5)).send(0.003, token1, "", limited(limitBody(limitInfo(`"90"`)))).fails(0.005, evidence.TimedOut), Failed, "timeout"},
		{"LIM-01", "sent again", theLimit().send(0.005, token1, answered()).returns(0.007, answered()), "", ""},
		{"LIM-01", "task mode", newTape().call(0, ofKind("task")).send(0.003, token1, "", limited(limitBody(limitInfo(`"90"`)))).fails(0.005, evidence.ServerFailed), "", ""},
		{"LIM-01", "caller gave up", func() *tape {
			t := theLimit().fails(0.005, evidence.Other)
			gone := at(0.0045)
			t.last().Cancelled = &gone
			return t
		}(), "", ""},
		{"LIM-01", "reset right after it on a real clock", atLimit(limitBody(limitInfo(`"90"`)), func(x *evidence.Exchange) { x.Response.Fault = "finish" }).
			onClock().fails(0.005, evidence.Transport), "", ""},

		{"LIM-02", "a kind of", theLimit().limitError(90), Passed, ""},
		{"LIM-02", "beside", theLimit().fails(0.005, evidence.MessageLimit), Failed, "not caught as the ordinary server error"},
		{"LIM-02", "no limit error", theLimit().fails(0.005, evidence.ServerFailed), "", ""},

		{"LIM-03", "ninety", theLimit().limitError(90), Passed, ""},
		{"LIM-03", "half", seconds(`"0.5"`).limitError(0.5), Passed, ""},
		{"LIM-03", "constant", seconds(`"45"`).limitError(90), Failed, `limitSeconds is "45", and the error's limit_seconds is 90`},
		{"LIM-03", "lost", theLimit().limitError(0), Failed, "limit_seconds is absent"},
		{"LIM-03", "no metadata", atLimit(limitBody(bare)).limitError(0), Passed, ""},
		{"LIM-03", "no metadata and a number", atLimit(limitBody(bare)).limitError(90), Failed, "limitSeconds is absent, and the error's limit_seconds is 90"},
		{"LIM-03", "words", useless(`"soon"`), Passed, ""},
		{"LIM-03", "NaN", useless(`"NaN"`), Passed, ""},
		{"LIM-03", "infinite", useless(`"Infinity"`), Passed, ""},
		{"LIM-03", "zero", useless(`"0"`), Passed, ""},
		{"LIM-03", "negative", useless(`"-90"`), Passed, ""},
		{"LIM-03", "null", useless(`null`), Passed, ""},
		{"LIM-03", "words and another error", seconds(`"soon"`).fails(0.005, evidence.ServerFailed), Failed, `"soon", and the call ended with server_error`},
		{"LIM-03", "another error", theLimit().fails(0.005, evidence.ServerFailed), "", ""},
		{"LIM-03", "padded", seconds(`" 90 "`).limitError(90), Observed, "limit_seconds is 90"},
		{"LIM-03", "JSON number", seconds(`90`).limitError(0), Observed, "limit_seconds is absent"},
		{"LIM-03", "with a fraction of zero", seconds(`"90.0"`).limitError(90), Observed, `"90.0"`},
	})
}

func TestLimitWords(t *testing.T) {
	t.Parallel()
	saysIt := func(text string) *tape { return theLimit().limitError(90, shown(text)) }
	prove(t, []proof{
		{"LIM-04", "right", theLimit().limitError(90), Passed, ""},
		{"LIM-04", "camel case", saysIt(`message limit reached: retry with responseKind: "task"`), Passed, ""},
		{"LIM-04", "a Go field", saysIt(`no answer within 90s; set ResponseKind to Task`), Passed, ""},
		{"LIM-04", "option", saysIt("over the platform limit, try --response-kind task"), Passed, ""},
		{"LIM-04", "status alone", saysIt("server error 504"), Failed, `"server error 504"`},
		{"LIM-04", "server's words alone", saysIt("canary words"), Failed, "canary words"},
		{"LIM-04", "task without its argument", saysIt("limit reached, use Task mode"), Failed, "use Task mode"},
		{"LIM-04", "no word of a limit", saysIt("failed, use response_kind=task"), Failed, "does not name both"},
		{"LIM-04", "no text", saysIt(""), Failed, "does not name both"},
		{"LIM-04", "command", theLimit().exits(0.005, 1, "", wayOut), Passed, ""},
		{"LIM-04", "silent command", theLimit().exits(0.005, 1, "", ""), Failed, "does not name both"},
		{"LIM-04", "returned", theLimit().returns(0.005, answered()), "", ""},

		{"LIM-10", "alone", theLimit().limitError(90), "", ""},
		{"LIM-10", "behind another", atLimit(limitBody(`{"@type":"x"},` + limitInfo(`"90"`))).limitError(90), Passed, ""},
		{"LIM-10", "before another", atLimit(limitBody(limitInfo(`"90"`) + `,7`)).limitError(90), Passed, ""},
		{"LIM-10", "not found", atLimit(limitBody(`{"@type":"x"},`+limitInfo(`"90"`))).fails(0.005, evidence.ServerFailed), Failed, "among other details, and the call ended with server_error"},
		{"LIM-10", "command finds it", atLimit(limitBody(`7,`+limitInfo(`"90"`))).exits(0.005, 1, "", wayOut), Passed, ""},
		{"LIM-10", "command misses it", atLimit(limitBody(`7,`+limitInfo(`"90"`))).exits(0.005, 1, "", "504"), Failed, "exit status 1"},
		{"LIM-10", "media type", atLimit(limitBody(limitInfo(`"90"`)), responseHeader("Content-Type", "text/plain")).limitError(90), Observed, `media type is "text/plain"`},
		{"LIM-10", "no type", atLimit(limitBody(swap(limitInfo(`"90"`), `"@type":"`+evidence.ErrorInfoType+`",`, ""))).limitError(90), Observed, "no @type"},
		{"LIM-10", "other code", atLimit(swap(limitBody(limitInfo(`"90"`)), "504", "503")).limitError(90), Observed, "code in its body is 503"},
		{"LIM-10", "other status word", atLimit(swap(limitBody(limitInfo(`"90"`)), "DEADLINE_EXCEEDED", "UNAVAILABLE")).limitError(90), Observed, "UNAVAILABLE"},
		{"LIM-10", "duplicate key", atLimit(swap(limitBody(limitInfo(`"90"`)), `"code":504`, `"code":504,"code":504`)).limitError(90), Observed, "more than once"},
		{"LIM-10", "returned", theLimit().returns(0.005, answered()), "", ""},
	})
}

func TestOtherGatewayErrors(t *testing.T) {
	t.Parallel()
	taken := func(body string, edit ...func(*evidence.Exchange)) *tape {
		return atLimit(body, edit...).limitError(90)
	}
	kept := func(body string, edit ...func(*evidence.Exchange)) *tape {
		return atLimit(body, edit...).fails(0.005, evidence.ServerFailed)
	}
	info := limitInfo(`"90"`)
	foreign := limitBody(swap(info, evidence.LimitDomain, "a2a-protocol.org"))
	split := limitBody(swap(info, evidence.LimitReason, "OTHER") + "," + swap(info, evidence.LimitDomain, "example.com"))
	prove(t, []proof{
		{"LIM-07", "the limit itself", theLimit().limitError(90), "", ""},
		{"LIM-07", "wrong domain", kept(foreign), Passed, ""},
		{"LIM-07", "wrong domain taken", taken(foreign), Failed, "was answered 504, which is not the Message limit, and the call ended with message_limit"},
		{"LIM-07", "wrong reason taken", taken(limitBody(swap(info, evidence.LimitReason, "OTHER"))), Failed, "not the Message limit"},
		{"LIM-07", "split over two details", taken(split), Failed, "not the Message limit"},
		{"LIM-07", "no ErrorInfo", taken(limitBody(swap(info, evidence.ErrorInfoType, "type.googleapis.com/google.rpc.Help"))), Failed, "not the Message limit"},
		{"LIM-07", "HTML taken", taken("<html>504</html>"), Failed, "not the Message limit"},
		{"LIM-07", "empty", kept(""), Passed, ""},
		{"LIM-07", "502 with the same body", kept(limitBody(info), status(502, limitBody(info))), Passed, ""},
		{"LIM-07", "502 with the same body taken", taken(limitBody(info), status(502, limitBody(info))), Failed, "was answered 502"},
		{"LIM-07", "as a timeout", atLimit("").fails(0.005, evidence.TimedOut), Failed, "the call ended with timeout"},
		{"LIM-07", "cut, as a server error", kept(limitBody(info), broken), Passed, ""},
		{"LIM-07", "cut, as a transport error", atLimit(limitBody(info), broken).fails(0.005, evidence.Transport), Passed, ""},
		{"LIM-07", "cut, as the limit", taken(limitBody(info), broken), Failed, "message_limit"},
		{"LIM-07", "untold", atLimit("").fails(0.005, ""), "", ""},
		{"LIM-07", "returned", atLimit("").returns(0.005, answered()), Failed, "returned a message"},
		{"LIM-07", "503", kept("", status(503, "")), "", ""},
	})
	pairOf := func(first, second string) *tape {
		return theLimit().limitError(90, named(first)).call(1).resolve(1.001, ready(token1)).send(1.003, token1, "", status(504, "")).
			fails(1.005, evidence.ServerFailed, named(second))
	}
	prove(t, []proof{
		{"LIM-12", "one error only", theLimit().limitError(90), "", ""},
		{"LIM-12", "two names", pairOf("LimitError", "ServerError"), Passed, ""},
		{"LIM-12", "one name", pairOf("ServerError", "ServerError"), Failed, `that of call 2 at a plain 504 are both named "ServerError"`},
		{"LIM-12", "no names", pairOf("", ""), Inconclusive, "neither error has a name"},
		{"LIM-12", "command", theLimit().exits(0.005, 1, "", wayOut), "", ""},
		{"LIM-12", "the other returned", theLimit().limitError(90).call(1).send(1.003, token1, "", status(504, "")).returns(1.005, answered()), "", ""},
	})
}
