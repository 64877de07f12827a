package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestRequestBody(t *testing.T) {
	t.Parallel()
	other := "11111111-2222-4333-8444-555555555555"
	prove(t, []proof{
		{"REQ-02", "user", plain(), Passed, ""},
		{"REQ-02", "internal direction", sends(requestBody("ROLE_USER", "ROLE_REQUESTER")), Failed, `message.role of the send is "ROLE_REQUESTER"`},
		{"REQ-02", "absent", sends(requestBody(`"role":"ROLE_USER",`, "")), Failed, "absent"},
		{"REQ-02", "lost on the second send", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).
			resolve(0.005, ready(token2)).send(0.007, token2, answered(), requestBody("ROLE_USER", "user")).returns(0.009, answered()),
			Failed, "message.role of the second send"},
		{"REQ-02", "body half read", sends(halfRead(10)), "", ""},
		{"REQ-02", "coded body", sends(header("Content-Encoding", "gzip")), Inconclusive, "gzip"},
		{"REQ-02", "identity coding", sends(header("Content-Encoding", "identity")), Passed, ""},
		{"REQ-02", "not a send", newTape().call(0, taskCall(evidence.CallGetTask, "t")).send(0.001, token1, ""), "", ""},
		{"REQ-02", "escaped and in another order", sends(sentBody(`{ "configuration":{"responseKind":"message","acceptedOutputModes":["text/plain"]},` +
			`"message":{"parts":[{"text":"hello"}],"role":"ROLE\u005fUSER","contextId":"` + sessionUID + `","messageId":"m"}}`)), Passed, ""},

		{"REQ-03", "the session", plain(), Passed, ""},
		{"REQ-03", "absent", sends(requestBody(`"contextId":"`+sessionUID+`",`, "")), Failed, "contextId of the send is absent"},
		{"REQ-03", "made up", sends(requestBody(sessionUID, "ctx-1")), Failed, "not the uid of the session"},
		{"REQ-03", "of another session", newTape().call(0).call(1, onSession(other)).resolve(1.001, ready(token1)).
			send(1.003, token1, answered(), requestBody(other, sessionUID)), Failed, "the uid of another session"},

		{"REQ-05", "plain", plain(), Passed, ""},
		{"REQ-05", "plain asks for json", sends(requestBody("text/plain", "application/json")), Failed, `which is plain, is ["application/json"]`},
		{"REQ-05", "both", sends(requestBody(`"text/plain"`, `"text/plain","application/json"`)), Failed, "which is plain"},
		{"REQ-05", "strict", asking(strictly(), sentBody(strictBody())), Passed, ""},
		{"REQ-05", "strict asks for text", asking(strictly()), Failed, "which is strict"},

		{"REQ-06", "default", plain(), Passed, ""},
		{"REQ-06", "task", asking(ofKind("task")), Passed, ""},
		{"REQ-06", "task sent as message", asking(ofKind("task"), requestBody(`"task"`, `"message"`)), Failed, `responseKind of the send is "message"`},
		{"REQ-06", "absent", sends(requestBody(`,"responseKind":"message"`, "")), Failed, "responseKind of the send is absent"},
		{"REQ-06", "unknown kind", asking(ofKind("stream")), "", ""},

		{"REQ-07", "not strict", plain(), "", ""},
		{"REQ-07", "strict", asking(strictly(), sentBody(strictBody())), Passed, ""},
		{"REQ-07", "number by value", asking(strictly(), sentBody(swap(strictBody(), ":3}", ":3.0}"))), Passed, ""},
		{"REQ-07", "extra member", asking(strictly(), sentBody(swap(strictBody(), ":3}", `:3,"x":1}`))), Passed, ""},
		{"REQ-07", "no metadata", asking(strictly()), Failed, "under the output contract's URI, absent"},
		{"REQ-07", "strict as text", asking(strictly(), sentBody(swap(strictBody(), "true", `"true"`))), Failed, "metadata of the send"},
		{"REQ-07", "other type", asking(strictly(), sentBody(swap(strictBody(), "dictionary", "json"))), Failed, "metadata of the send"},
		{"REQ-07", "no attempts", asking(strictly(), sentBody(swap(strictBody(), `,"jsonRepairAttempts":3`, ""))), Failed, "metadata of the send"},
		{"REQ-07", "attempts as text", asking(strictly(), sentBody(swap(strictBody(), ":3}", `:"3"}`))), Failed, "metadata of the send"},
		{"REQ-07", "caller's attempts", asking(strictly("7"), sentBody(swap(strictBody(), ":3}", ":7}"))), Passed, ""},
		{"REQ-07", "caller's attempts ignored", asking(strictly("7"), sentBody(strictBody())), Failed, "metadata of the send"},
		{"REQ-07", "zero attempts sent", asking(strictly("0"), sentBody(swap(strictBody(), ":3}", ":1}"))), Passed, ""},

		{"REQ-08", "none", plain(), Passed, ""},
		{"REQ-08", "strict", asking(strictly(), sentBody(strictBody())), "", ""},
		{"REQ-08", "sent anyway", sends(sentBody(strictBody())), Failed, "carries an output contract"},
		{"REQ-08", "null", sends(sentBody(`{"metadata":{"` + evidence.OutputContractURI + `":null}}`)), Observed, "as null"},

		{"REQ-11", "documented", plain(), Passed, ""},
		{"REQ-11", "further", sends(requestBody(`"responseKind"`, `"historyLength":3,"responseKind"`)), Observed, "/configuration/historyLength"},
		{"REQ-11", "many", sends(requestBody(`"responseKind"`, `"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"responseKind"`)), Observed, "and 1 more"},

		{"REQ-17", "sound", plain(), Passed, ""},
		{"REQ-17", "chunked", sends(func(x *evidence.Exchange) { x.Request.ContentLength = -1 }), Passed, ""},
		{"REQ-17", "duplicate", sends(requestBody(`"role":"ROLE_USER"`, `"role":"ROLE_USER","role":"ROLE_USER"`)), Warned, "more than once"},
		{"REQ-17", "two values", sends(sentBody("{} {}")), Warned, "after the value"},
		{"REQ-17", "latin-1", sends(requestBody("hello", "na\xefve")), Warned, "not well-formed"},
		{"REQ-17", "announces more", sends(func(x *evidence.Exchange) { x.BodyRead, x.Request.ContentLength = nil, 4000 }), Warned, "announced 4000 bytes"},
		{"REQ-17", "half read", sends(halfRead(20)), "", ""},

		{"REQ-27", "without", plain(), Passed, ""},
		{"REQ-27", "blocking", sends(requestBody(`"responseKind"`, `"blocking":true,"responseKind"`)), Warned, "configuration.blocking of the send is true"},
		{"REQ-27", "task mode", asking(ofKind("task"), requestBody(`"responseKind"`, `"returnImmediately":true,"responseKind"`)), "", ""},
	})
}

func TestRequestParts(t *testing.T) {
	t.Parallel()
	text := "  na\u00efve \U0001F600\n\u202bשלום"
	prove(t, []proof{
		{"REQ-04", "hello", plain(), Passed, ""},
		{"REQ-04", "all kinds of characters", asking(saying(text)), Passed, ""},
		{"REQ-04", "trimmed", asking(saying(text), requestBody("  na", "na")), Failed, "differs at character 1: U+0020 became U+006E"},
		{"REQ-04", "normalised", asking(saying(text), requestBody("\u00ef", "i\u0308")), Failed, "differs at character 5: U+00EF became U+0069"},
		{"REQ-04", "trailing newline lost", asking(saying("hello\n"), requestBody(`hello\n`, "hello")), Failed, "ends after 5 characters, 1 bytes short"},
		{"REQ-04", "something added", asking(saying("hello"), requestBody("hello", "hello!")), Failed, "has 1 bytes after the 5 characters"},
		{"REQ-04", "cut at NUL", asking(saying("a\x00b"), requestBody(`a\u0000b`, "a")), Failed, "ends after 1 characters"},
		{"REQ-04", "NUL escaped", asking(saying("a\x00b")), Passed, ""},
		{"REQ-04", "not first", asking(withFiles("a"), sentBody(partsBody(filePart("a"), `{"text":"hello"}`))), Failed, "has no text"},
		{"REQ-04", "no parts", sends(sentBody(partsBody())), Failed, "has no text: its text member is absent"},
		{"REQ-04", "blank", asking(saying("  ")), "", ""},
		{"REQ-04", "no message", asking(func(c *evidence.Call) { c.Input.Message = evidence.Absent[string]() }), "", ""},

		{"REQ-26", "text alone", plain(), Passed, ""},
		{"REQ-26", "text and files", asking(withFiles("a", "b"), sentBody(partsBody(`{"text":"hello"}`, filePart("a"), filePart("b")))), Passed, ""},
		{"REQ-26", "url alphabet without padding", asking(withFiles("??>"), sentBody(partsBody(`{"text":"hello"}`, `{"raw":"Pz8-"}`))), Passed, ""},
		{"REQ-26", "a text file as text", asking(withFiles("a"), sentBody(partsBody(`{"text":"hello"}`, `{"text":"a"}`))), Passed, ""},
		{"REQ-26", "files alone", asking(func(c *evidence.Call) {
			c.Input.Message = evidence.Null[string]()
			withFiles("a")(c)
		}, sentBody(partsBody(filePart("a")))), Passed, ""},
		{"REQ-26", "other order", asking(withFiles("a", "b"), sentBody(partsBody(`{"text":"hello"}`, filePart("b"), filePart("a")))),
			Failed, "in the place of file 1 of the send holds file 2"},
		{"REQ-26", "changed content", asking(withFiles("a"), sentBody(partsBody(`{"text":"hello"}`, filePart("c")))), Failed, "content that no file has"},
		{"REQ-26", "another media type", asking(withFiles("a"), sentBody(partsBody(`{"text":"hello"}`, `{"raw":"YQ==","mediaType":"text/plain"}`))), Warned, `has the mediaType "text/plain"`},
		{"REQ-26", "a path for a name", asking(withFiles("a"), sentBody(partsBody(`{"text":"hello"}`, `{"raw":"YQ==","filename":"home/a.pdf"}`))), Warned, `has the filename "home/a.pdf"`},
		{"REQ-26", "a type with a parameter", asking(withFiles("a"), sentBody(partsBody(`{"text":"hello"}`, `{"raw":"YQ==","mediaType":"Application/PDF; x=y"}`))), Passed, ""},
		{"REQ-26", "not base64", asking(withFiles("a"), sentBody(partsBody(`{"text":"hello"}`, `{"raw":"***"}`))), Failed, "content that no file has"},
		{"REQ-26", "raw is no text", asking(withFiles("a"), sentBody(partsBody(`{"text":"hello"}`, `{"raw":7}`))), Inconclusive, "could be compared"},
		{"REQ-26", "by reference", asking(withFiles("a"), sentBody(partsBody(`{"text":"hello"}`, `{"url":"http://x/"}`))), Inconclusive, "could be compared"},
		{"REQ-26", "one lost", asking(withFiles("a", "b"), sentBody(partsBody(`{"text":"hello"}`, filePart("a")))), Failed, "has 2 parts for a text and 2 files"},
		{"REQ-26", "one added", sends(sentBody(partsBody(`{"text":"hello"}`, `{"text":"today is Monday"}`))), Failed, "has 2 parts for a text and 0 files"},
		{"REQ-26", "file in the place of the text", asking(withFiles("a"), sentBody(partsBody(filePart("a"), `{"text":"hello"}`))), Failed, "is no text part"},
		{"REQ-26", "unreadable", asking(unreadable), "", ""},
		{"REQ-26", "blank", asking(saying(" ")), "", ""},
	})
}

func TestMessageID(t *testing.T) {
	t.Parallel()
	second := func(id string, edit ...func(*evidence.Call)) *tape {
		tape := plain().call(1, edit...)
		return tape.resolve(1.001, ready(token2)).send(1.003, token2, answered(), requestBody("msg-2", id)).returns(1.005, answered())
	}
	prove(t, []proof{
		{"REQ-09", "none given", plain(), "", ""},
		{"REQ-09", "unchanged", asking(withID("msg-client-uuid-1")), Passed, ""},
		{"REQ-09", "another", asking(withID("mine"), requestBody("mine", "theirs")), Failed, `the messageId "theirs", another than the caller gave`},
		{"REQ-09", "a number", asking(withID("7"), requestBody(`"7"`, "7")), Failed, "a messageId that is a number"},

		{"REQ-10", "generated", plain(), Passed, ""},
		{"REQ-10", "given", asking(withID("mine")), "", ""},
		{"REQ-10", "absent", sends(requestBody(`"messageId":"msg-1",`, "")), Failed, "a messageId that is absent"},
		{"REQ-10", "blank given and sent", asking(withID(" ")), Failed, "a messageId that is blank"},
		{"REQ-10", "blank given and replaced", asking(withID(" "), requestBody(`" "`, `"msg-9"`)), Passed, ""},
		{"REQ-10", "blank given and refused", refusing(withID(" ")), Passed, ""},
		{"REQ-10", "empty given and refused", refusing(withID("")), Passed, ""},
		{"REQ-10", "failed before it sent", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Blocked), "", ""},
		{"REQ-10", "two calls, two ids", second("msg-other"), Passed, ""},
		{"REQ-10", "two calls, one id", second("msg-1"), Failed, "the messageId that call 1 had generated"},
		{"REQ-10", "two instances, one id", second("msg-1", ofAnother()), Failed, "the messageId that call 1 had generated"},
		{"REQ-10", "sent again with the id of the first by the caller's wish", second("msg-1", withID("msg-1")), Passed, ""},
		{"REQ-10", "not a send", newTape().call(0, taskCall(evidence.CallGetTask, "t")), "", ""},
	})
}
