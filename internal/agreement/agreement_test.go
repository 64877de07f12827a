// Package agreement compares the two clients of this project, which share no code, on every scenario. Where they differ
// one of them is wrong, or the contract leaves a choice: then docs/decisions.md says which.
package agreement

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/generate"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// record runs cases against a client.
func record(t *testing.T, s subject.Subject, cases []scenarios.Case) []evidence.Run {
	t.Helper()
	rec, err := runner.RunAll(t.Context(), s, cases, runner.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rec.Runs
}

// story is what a run comes to, in the words that both clients have to share: what was asked of whom and when, with
// which body, and how each call ended; without kinds, all errors are alike.
func story(t *testing.T, run evidence.Run, kinds bool) string {
	t.Helper()
	var w strings.Builder
	for _, x := range run.Exchanges {
		fmt.Fprintf(&w, "%s %s %s %s %s\n", inMillis(x.Arrived), x.Op, x.Endpoint, x.Request.Target, body(t, run, x))
	}
	for _, c := range run.Calls {
		fmt.Fprintf(&w, "call %d: %s %s\n", c.Number, ended(c), result(c, kinds))
	}
	if run.End.How != evidence.EndSettled {
		fmt.Fprintf(&w, "the run ended as %s\n", run.End.How)
	}
	return w.String()
}

func inMillis(at evidence.Offset) string {
	return strconv.FormatFloat(float64(at)/1e6, 'f', 3, 64) + "ms"
}

func ended(c evidence.Call) string {
	if c.Ended == nil {
		return "open"
	}
	return inMillis(*c.Ended)
}

// result is the kind of an outcome with, of an error, its category and, of a success, what was returned.
func result(c evidence.Call, kinds bool) string {
	switch {
	case c.Outcome != nil && c.Outcome.Error != nil && !kinds:
		return "an error"
	case c.Outcome == nil:
		return "nothing"
	case c.Outcome.Error != nil:
		return string(c.Outcome.Error.Category)
	default:
		return string(c.Outcome.Kind) + " " + canonical(c.Outcome.Message) + canonical(c.Outcome.Task)
	}
}

// body is the body of a request, in one order of members and with the ids that its client made replaced.
func body(t *testing.T, run evidence.Run, x evidence.Exchange) string {
	t.Helper()
	text := canonical(x.Request.Body.Bytes)
	send := evidence.ReadSend(&x)
	id, ok := send.MessageID.Text()
	if !ok || id == "" {
		return text
	}
	for _, c := range run.Calls {
		if given, ok := c.Input.MessageID.Get(); ok && given == id {
			return text
		}
	}
	return strings.ReplaceAll(text, id, "‹id›")
}

// canonical writes JSON in one way, and anything else as it is.
func canonical(data []byte) string {
	var value any
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return string(data)
	}
	same, err := json.Marshal(value)
	if err != nil {
		return string(data)
	}
	return string(same)
}

// compare runs both clients and tells of the cases in which they differ, up to a number that somebody can look at. It
// returns which freedoms were taken.
func compare(t *testing.T, cases []scenarios.Case) (taken map[string]bool) {
	t.Helper()
	reference, second := record(t, subject.Reference("test"), cases), record(t, defects.Twin(nil), cases)
	byID := map[string]evidence.Run{}
	for _, run := range second {
		byID[run.ID] = run
	}
	taken = map[string]bool{}
	differ, alike := 0, 0
	for _, run := range reference {
		other, ok := byID[run.ID]
		if !ok {
			continue // it needs what the second client cannot do
		}
		if cmp.Equal(story(t, run, true), story(t, other, true)) {
			alike++
			continue
		}
		if free := freedomOf(t, run, other); free != "" {
			taken[free] = true
			continue
		}
		differ++
		if differ <= 10 {
			t.Errorf("%s (- reference, + second client):\n%s", run.ID, cmp.Diff(story(t, run, true), story(t, other, true)))
		}
	}
	if differ > 0 || alike == 0 {
		t.Errorf("the clients do the same in %d runs and differ in %d of %d", alike, differ, len(reference))
	}
	return taken
}

func TestBothClientsDoTheSame(t *testing.T) {
	t.Parallel()
	files, err := scenarios.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	taken := compare(t, append(scenarios.Expand(files, evidence.ClockVirtual), drawn(t)...))
	for _, f := range freedoms() {
		if !taken[f.what] {
			t.Errorf("both clients make the same of %q: take it off the list of what they may differ in", f.what)
		}
	}
}

// drawn draws scenarios: 200, or as many as A2A_CONFORM_DRAWN says.
func drawn(t *testing.T) []scenarios.Case {
	t.Helper()
	n := 200
	if more, err := strconv.Atoi(os.Getenv("A2A_CONFORM_DRAWN")); err == nil {
		n = more
	}
	cases := make([]scenarios.Case, n)
	for i := range cases {
		s, err := generate.Draw(1, i)
		if err != nil {
			t.Fatal(err)
		}
		cases[i] = s.Case
	}
	return cases
}
