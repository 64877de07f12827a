package suites

import (
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Each proof here lies at the edge of a rule about answers.

func TestEdgesOfAnEnvelope(t *testing.T) {
	t.Parallel()
	const role, mark = `"role":"ROLE_AGENT",`, "\ufeff"
	strange := func(body string) *tape {
		return newTape().call(0, ofKind("poem")).resolve(0.001, ready(token1)).send(0.003, token1, body).accepted()
	}
	prove(t, []proof{
		{"RESP-05", "its caller gave up before the answer", newTape().call(0, cancelled(0.0035)).resolve(0.001, ready(token1)).send(0.003, token1, "{}").accepted(), "", ""},
		{"RESP-08", "beside a Task", given(answerWith(`{"message"`, `{"task":{},"message"`, "ROLE_AGENT", "ROLE_RESPONDER")).accepted(), "", ""},
		{"RESP-09", "a Task named twice", given(`{"task":{"id":"t"},"task":{"id":"t"}}`).accepted(), "", ""},
		{"RESP-11", "a response kind that nobody knows", strange("{}"), "", ""},
		{"RESP-11", "a get with a Message beside the Task", got(answerWith(`{"message"`, `{"task":`+taskIn("WORKING")+`,"message"`)).hands(0.009, taskIn("WORKING")), "", ""},
		{"RESP-12", "a response kind that nobody knows", strange("<html>"), "", ""},
		{"RESP-12", "byte order mark, and broke off", given(mark+answered(), broken).accepted(), Failed, "broke off"},
		{"RESP-12", "byte order mark before a list", given(mark + "[]").accepted(), Failed, "byte order mark"},
		{"RESP-12", "byte order mark before HTML", given(mark + "<html>").accepted(), Failed, "byte order mark"},
		{"RESP-12", "byte order mark, and bytes behind", given(mark + answered() + "x").accepted(), Failed, "byte order mark"},
		{"RESP-12", "byte order mark before an object cut short", given(mark + `{"message":`).accepted(), Failed, "byte order mark"},
	})
}

func TestEdgesOfChoices(t *testing.T) {
	t.Parallel()
	const huge = "9007199254740993"
	code := func(n int, category evidence.Category, text string) *tape {
		return given("", status(n, `{"detail":"a canary of a detail"}`)).fails(0.005, category, func(e *evidence.Error) { e.Status, e.Text = &n, text })
	}
	prove(t, []proof{
		{"RESP-13", "status 199", given(answered(), status(199, answered())).accepted(), "", ""},
		{"RESP-13", "status 299", given(answered(), status(299, answered())).accepted(), Observed, "has status 299"},
		{"RESP-13", "status 300", given(answered(), status(300, answered())).accepted(), "", ""},
		{"RESP-14", "status 399", code(399, evidence.Other, ""), "", ""},
		{"RESP-14", "status 599", code(599, evidence.ServerFailed, "a canary of a detail"), Passed, ""},
		{"RESP-14", "status 600", code(600, evidence.Other, ""), "", ""},
		{"RESP-14", "the words over two lines", code(409, evidence.Rejected, "said: a canary\n  of a detail"), Passed, ""},
		{"RESP-14", "the kind named alone", given("", status(409, "")).fails(0.005, evidence.Rejected, func(e *evidence.Error) { n := 409; e.Status, e.Is = &n, nil }), Passed, ""},
		{"RESP-14", "a kind of the kind", given("", status(409, "")).fails(0.005, evidence.Other, func(e *evidence.Error) { n := 409; e.Status, e.Is = &n, []evidence.Category{evidence.Rejected} }), Passed, ""},
		{"RESP-17", "huge, beside a Task", given(answerWith(`{"message"`, `{"task":{},"message"`, `"role"`, `"n":`+huge+`,"role"`)).rejected(), "", ""},
		{"RESP-17", "the second of a list", given(answerWith(`"role"`, `"n":[1,`+huge+`],"role"`)).accepted(), Observed, huge},
	})
}

// Of a call that returned no Message nothing is said about a number in it.
func TestWordsForANumber(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tape *tape
		want string
	}{
		"kept":     {given("").resulting(`{"n":7}`), " with it"},
		"another":  {given("").resulting(`{"n":8}`), " with another number in its place"},
		"rejected": {given("").rejected(), ""},
		"printed":  {given("").exits(0.005, 0, "7", ""), ""},
		"hangs":    {given(""), ""},
	} {
		if got := keptWords(tt.tape.view(false).Calls[0], "7"); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestEdgesOfWhatIsPrinted(t *testing.T) {
	t.Parallel()
	const text = `{"text":"canary answer"}`
	rich := answerWith(text, `{"text":"canary answer"},{"text":"what became of it"},{"data":true},{"data":7},{"data":{"a":[1]}}`, `"role"`, `"list":[],"none":{},"role"`)
	showing := func(pairs ...string) *tape { return given(rich).exits(0.005, 0, swap(rich, pairs...), "") }
	long := answerWith(text, `{"data":{"a":1,"b":2,"c":3,"d":4,"e":5}},{"data":"x"}`)
	prove(t, []proof{
		{"RESP-06", "printed without a true", showing(`{"data":true}`, "{}"), Passed, ""},
		{"RESP-06", "printed without a seven", showing(`{"data":7}`, "{}"), Passed, ""},
		{"RESP-06", "printed without a list that is empty", showing(`"list":[],`, ""), Failed, "empty values are gone: /list"},
		{"RESP-06", "printed without an object that is empty", showing(`"none":{},`, ""), Failed, "empty values are gone: /none"},
		{"RESP-06", "printed without a text about becoming", showing(`{"text":"what became of it"}`, "{}"), Passed, ""},
		{"RESP-06", "text printed as an object", showing(`"text":"canary answer"`, `"text":{}`), Failed, `/parts/0/text: "canary answer" became {}`},
		{"RESP-06", "text printed as a list", showing(`"text":"canary answer"`, `"text":[]`), Failed, `/parts/0/text: "canary answer" became []`},
		{"RESP-06", "object printed as a number", showing(`"data":{"a":[1]}`, `"data":1`), Failed, `/parts/4/data: {"a":[1]} became 1`},
		{"RESP-06", "object printed as a list", showing(`"data":{"a":[1]}`, `"data":[1]`), Failed, `became [1]`},
		{"RESP-06", "list printed as a number", showing(`{"a":[1]}`, `{"a":1}`), Failed, `/parts/4/data/a: [1] became 1`},
		{"RESP-06", "list printed as an object", showing(`{"a":[1]}`, `{"a":{"b":1}}`), Failed, `/parts/4/data/a: [1] became`},
		{"RESP-06", "optional null printed as a text", given(answerWith(`"role"`, `"taskId":null,"role"`)).exits(0.005, 0, answerWith(`"role"`, `"taskId":"t","role"`), ""), Failed, "/taskId: null became"},
		{"RESP-06", "much is gone, and one thing is another", given(long).exits(0.005, 0, swap(long, `{"a":1,"b":2,"c":3,"d":4,"e":5}`, "{}", `"x"`, `"y"`), ""), Failed, `/parts/1/data: "x" became "y"`},
		{"RESP-06", "JSON with an id alone", given(answered()).exits(0.005, 0, `{"messageId":"x"}`, ""), Inconclusive, "was not found"},
		{"RESP-06", "JSON with parts alone", given(answered()).exits(0.005, 0, `{"parts":[{"text":"x"}]}`, ""), Inconclusive, "was not found"},
		{"RESP-06", "words behind the JSON", given(answered()).exits(0.005, 0, answerWith("canary answer", "x")+" done", ""), Inconclusive, "was not found"},
	})
}

func TestEdgesOfOwnAnswers(t *testing.T) {
	t.Parallel()
	mine, theirs := answerWith("msg-agent-1", "mine"), answerWith("msg-agent-1", "theirs")
	ofStatus := func(n int) *tape { return given("", status(n, mine)).returns(0.005, mine) }
	// other is a call that was answered mine; another runs beside it and returns the same.
	other := func(x *tape) *tape { return x.call(0).send(0.003, token1, theirs).returns(0.005, mine) }
	first := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).send(0.003, token1, mine, edit...).returns(0.005, mine)
	}
	foreign := "what was answered to call 1"
	none := "none that an answer to the call's own request held"
	prove(t, []proof{
		{"RESP-15", "status 199", ofStatus(199), Failed, "no whole answer"},
		{"RESP-15", "status 200", ofStatus(200), Passed, ""},
		{"RESP-15", "status 299", ofStatus(299), Passed, ""},
		{"RESP-15", "status 300", ofStatus(300), Failed, "no whole answer"},
		{"RESP-15", "returned in the instant of the answer", given(mine).returns(0.004009, mine), Passed, ""},
		{"RESP-15", "its own, beside a send that may be another's", newTape().call(0).send(0.003, token1, mine).returns(0.005, mine).call(0).send(0.004, token1, theirs, ofCalls(1, 2)), Passed, ""},
		{"RESP-15", "another call's", other(first()), Failed, foreign},
		{"RESP-15", "another call's that broke off", other(first(broken)), Failed, none},
		{"RESP-15", "another call's other operation", other(first(func(x *evidence.Exchange) { x.Op = evidence.OpGetTask })), Failed, none},
		{"RESP-15", "one of its own that failed", newTape().call(0).send(0.003, token1, "", status(500, mine)).send(0.004, token1, theirs).returns(0.006, mine), Failed, none},
		{"RESP-15", "equal to another's as well", first().call(0).send(0.003, token1, mine).returns(0.005, mine), Passed, ""},
		{"RESP-15", "a Task that another call got", got(wrapped(taskIn("WORKING"))).hands(0.005, taskIn("WORKING")).call(0, ofKind("task")).
			send(0.003, token1, wrapped(swap(taskIn("WORKING"), `"id":"t"`, `"id":"u"`))).hands(0.005, taskIn("WORKING")), Failed, none},
		{"RESP-15", "an id beside the Task", got(swap(wrapped(taskIn("WORKING")), `{"task"`, `{"id":"x","task"`)).hands(0.005, taskIn("WORKING")), Passed, ""},
		{"RESP-15", "nothing printed and nothing answered", newTape().call(0).send(0.003, token1, "{}").returns(0.005, mine), Failed, none},
	})
}

// Without an id nothing tells a result apart.
func TestSameID(t *testing.T) {
	t.Parallel()
	value := func(s string) *evidence.Value {
		v, _ := evidence.ReadJSON([]byte(s))
		return v
	}
	for words, want := range map[string]bool{
		`{"messageId":"a"} {"messageId":"a"}`: true, `{"messageId":"a"} {"messageId":"b"}`: false, `{} {"messageId":"b"}`: true,
		`{"messageId":"a"} {}`: true, `{"id":"a"} {"id":"b"}`: false, `{"messageId":7} {"messageId":"a"}`: false,
	} {
		result, answer, _ := strings.Cut(words, " ")
		if got := sameID(value(result), value(answer)); got != want {
			t.Errorf("%s: the same: %t", words, got)
		}
	}
}
