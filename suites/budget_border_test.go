package suites

import (
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestBordersOfTheDefaultBudget(t *testing.T) {
	t.Parallel()
	silent := func(end float64) *tape {
		return begun().send(0.003, token1, "", hang(end)).fails(end, evidence.TimedOut)
	}
	dripping := func(end float64) *tape {
		return begun().send(0.003, token1, "", drip(200, 50, end)).fails(end, evidence.TimedOut)
	}
	prove(t, []proof{
		{"BUD-04", "silent, as early as may be", silent(899.003), Passed, ""},
		{"BUD-04", "silent, just too early", silent(899.0025), Failed, "ended 899.0025s"},
		{"BUD-04", "dripping, as early as may be", dripping(900), Passed, ""},
		{"BUD-04", "dripping, just too early", dripping(899.9995), Failed, "ended 899.9995s"},
		{"BUD-04", "a wait for a Task", about(evidence.CallWaitTask).resolve(0.001, ready(token1)).gets(0.003, token1, "", hang(60)).fails(60, evidence.TimedOut), "", ""},
		{"BUD-04", "its caller gave up", begun(cancelled(60)).send(0.003, token1, "", hang(60)).fails(60, evidence.Other), "", ""},
		{"BUD-03", "its caller gave up", begun(pair(1, 5), cancelled(5.5)).send(0.003, token1, "", hang(5.5)).fails(5.5, evidence.Other), "", ""},
		{"BUD-03", "a phase that ends with the total", newTape().call(0, pair(1, 2)).resolve(0.001, ready(token1), answerAfter(0.9)).
			send(1, token1, "", hang(4)).fails(4, evidence.TimedOut), "", ""},
		{"BUD-03", "a phase that ends just before it", newTape().call(0, pair(1, 2)).resolve(0.001, ready(token1), answerAfter(0.9)).
			send(0.9995, token1, "", hang(4)).fails(4, evidence.TimedOut), Failed, "after it began to wait"},
		{"BUD-03", "two silences that were too long", begun(pair(9, 1)).send(0.003, token1, "", hang(2)).send(2, token1, "", hang(4)).fails(4, evidence.TimedOut), Failed, "after it began to wait"},
	})
}

func TestBordersOfClosing(t *testing.T) {
	t.Parallel()
	closed := func(end float64, by evidence.EndedBy) *tape {
		return begun(timeout(3)).send(0.003, token1, "", noAnswer(end, by)).fails(3, evidence.TimedOut)
	}
	prove(t, []proof{
		{"BUD-16", "as late as may be", closed(4, evidence.EndedByClient), Passed, ""},
		{"BUD-16", "just later", closed(4.0005, evidence.EndedByClient), Warned, "was closed 1.0005s after"},
		{"BUD-16", "not closed and not watched on", closed(4, evidence.EndedByRun), Inconclusive, "was not watched"},
		{"BUD-16", "not closed and watched on", closed(4.0005, evidence.EndedByRun), Warned, "still open 1.0005s after"},
		{"BUD-16", "an upload, watched on", begun(timeout(3)).send(0.003, token1, "", noAnswer(6, evidence.EndedByRun), unread(9<<20)).
			fails(3, evidence.TimedOut), Warned, "still open 3s after"},
		{"BUD-16", "a great upload, watched on, on a real clock", begun(timeout(3)).onClock().send(0.003, token1, "", noAnswer(6, evidence.EndedByRun), unread(9<<20)).
			fails(3, evidence.TimedOut), Inconclusive, "was not watched"},
		{"BUD-16", "an answer, watched on, on a real clock", begun(timeout(3)).onClock().send(0.003, token1, "", noAnswer(6, evidence.EndedByRun)).
			fails(3, evidence.TimedOut), Warned, "still open 3s after"},
		{"BUD-16", "cut by the server", closed(6, evidence.EndedByCut), "", ""},
		{"BUD-16", "ended by the server", closed(6, evidence.EndedByServer), "", ""},
		{"BUD-16", "an end that is not known", begun(timeout(3)).send(0.003, token1, "", hang(6), func(x *evidence.Exchange) { x.Ended = nil }).
			fails(3, evidence.TimedOut), "", ""},
	})
}

// What a text is made of decides whether a command must print it as it is.
func TestPlainWords(t *testing.T) {
	t.Parallel()
	if !isWords("az AZ 09.,!?\n") {
		t.Error("plain words are not plain")
	}
	for _, r := range "`{@[/:_é\t" {
		if isWords("a" + string(r)) {
			t.Errorf("%q is plain", r)
		}
	}
}

// The name of a log says what it is, whatever stands around it that is no letter.
func TestNamesOfLogs(t *testing.T) {
	t.Parallel()
	for path, cache := range map[string]bool{
		"x/`log": false, "x/log{1}": false, "x/LOG": false, "x/alog": true, "x/logz": true, "x/cache.json": true, "x/stdout.txt": false,
	} {
		f := leftFile{Path: path, Content: evidence.Text(token1)}
		if got := f.isCache(evidence.Mention{Name: token1, Form: evidence.FormWhole}); got != cache {
			t.Errorf("%s is a cache: %t", path, got)
		}
	}
}

func TestEndpointsByName(t *testing.T) {
	t.Parallel()
	if e, ok := newTape().view(false).Endpoint("platform"); !ok || e.Side != evidence.SidePlatform || !strings.Contains(e.Origin, "platform") {
		t.Errorf("the platform is %+v, %t", e, ok)
	}
}
