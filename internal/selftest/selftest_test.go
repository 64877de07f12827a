package selftest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// shipped are the cases of the scenarios of those names, of all where there is none.
func shipped(t *testing.T, names ...string) []scenarios.Case {
	t.Helper()
	files, err := scenarios.Builtin(names...)
	if err != nil {
		t.Fatal(err)
	}
	return scenarios.Expand(files, evidence.ClockVirtual)
}

// client is a subject by its name alone: the recorder of a world knows what it does.
type client string

func (c client) About() evidence.Subject {
	return evidence.Subject{Kind: evidence.KindInProcess, Name: string(c)}
}

func (c client) Open(subject.Env) (subject.Instance, error) {
	return nil, errors.New("nobody opens it")
}

// world plays the runner. In every case the twin asks for the names of asks, and its evidence is right. That of a
// client is what it is made to say of the case.
type world struct {
	asks []string
	says map[client]func(scenarios.Case, *evidence.Run)
	made atomic.Int64
}

// asking is the twin of a world: it tells what it asks for when it is run.
type asking struct {
	client

	note func(string)
}

func (w *world) twin(note func(string)) subject.Subject { return asking{"twin", note} }

func (w *world) record(_ context.Context, s subject.Subject, cases []scenarios.Case, _ runner.Options) (runner.Recording, error) {
	var rec runner.Recording
	for _, c := range cases {
		w.made.Add(1)
		run := evidence.Run{ID: c.ID, Clock: evidence.ClockVirtual, End: evidence.End{How: evidence.EndSettled}, Calls: []evidence.Call{{
			Number: 1, Op: evidence.CallSend, Ended: new(evidence.Offset),
			Outcome: &evidence.Outcome{Kind: evidence.OutcomeError, Error: &evidence.Error{Category: evidence.Other, Name: "given_up"}},
		}}}
		switch s := s.(type) {
		case asking:
			for _, name := range w.asks {
				s.note(name)
			}
		case client:
			w.says[s](c, &run)
		}
		rec.Runs = append(rec.Runs, run)
	}
	return rec, nil
}

// crashes breaks SUBJ-01, leaks SUBJ-02, changes nothing that a rule looks at.
func crashes(_ scenarios.Case, run *evidence.Run) {
	run.Calls[0].Outcome = &evidence.Outcome{Kind: evidence.OutcomeCrash, Reason: "it fell"}
}

func leaks(_ scenarios.Case, run *evidence.Run) {
	run.End = evidence.End{How: evidence.EndLeak, Text: "a goroutine"}
}

func changes(_ scenarios.Case, run *evidence.Run) { run.Calls[0].Client = "another" }

func nothing(scenarios.Case, *evidence.Run) {}

func TestEachDefectIsToldByWhatTheRulesSay(t *testing.T) {
	t.Parallel()
	both := func(c scenarios.Case, run *evidence.Run) { crashes(c, run); leaks(c, run) }
	elsewhere := func(c scenarios.Case, run *evidence.Run) {
		crashes(c, run)
		if c.Scenario == "other" {
			leaks(c, run)
		}
	}
	for _, c := range []struct {
		name   string
		does   func(scenarios.Case, *evidence.Run)
		also   []string
		full   bool
		want   Status
		failed []string
		reason string
	}{
		{"its rule alone", crashes, nil, false, Killed, []string{"SUBJ-01"}, ""},
		{"its rule and the one it names", both, []string{"SUBJ-02"}, false, Killed, []string{"SUBJ-01", "SUBJ-02"}, ""},
		{"another rule too", both, nil, false, Mislabelled, []string{"SUBJ-01", "SUBJ-02"}, "SUBJ-02 fails too, in shown: "},
		{"not the one it names", crashes, []string{"SUBJ-02"}, false, Mislabelled, []string{"SUBJ-01"}, "SUBJ-02 should fail too and does not"},
		{"another rule alone", leaks, nil, false, Mislabelled, []string{"SUBJ-02"}, "SUBJ-01 does not fail where it holds for its twin; SUBJ-02 fails too"},
		{"no rule", changes, nil, false, Silent, []string{}, "what it does differs from its twin in 1 run, and no rule fails"},
		{"nothing", nothing, nil, false, Dead, []string{}, "what it does is what its twin does in all 1 run"},
		{"another rule in a scenario beside", elsewhere, nil, false, Killed, []string{"SUBJ-01"}, ""},
		{"another rule in a scenario beside that is run too", elsewhere, nil, true, Killed, []string{"SUBJ-01"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := &world{asks: []string{"it"}, says: map[client]func(scenarios.Case, *evidence.Run){"it": c.does}}
			found, err := Run(t.Context(), Config{
				Twins: []func(func(string)) subject.Subject{w.twin}, Record: w.record, Full: c.full,
				Defects: []defects.Defect{{Name: "it", Kills: "SUBJ-01", Also: c.also, Subject: client("it")}},
				Cases:   []scenarios.Case{{ID: "shown", Scenario: "shown", Covers: []string{"SUBJ-01"}}, {ID: "other", Scenario: "other"}},
			})
			if err != nil {
				t.Fatal(err)
			}
			row := found.Matrix[0]
			if row.Status != c.want || !cmp.Equal(row.Failed, c.failed) || !strings.HasPrefix(row.Reason, c.reason) || (c.reason == "") != (row.Reason == "") {
				t.Errorf("it is %s because of %q, %q", row.Status, row.Failed, row.Reason)
			}
			if beside := c.full && c.want == Killed; beside != slices.Contains(row.Elsewhere, "SUBJ-02") {
				t.Errorf("elsewhere %q", row.Elsewhere)
			}
			if found.Good() != (c.want == Killed) {
				t.Errorf("the whole is good: %v", found.Good())
			}
		})
	}
}

func TestADefectIsRunWhereItsTwinAsksForIt(t *testing.T) {
	t.Parallel()
	w := &world{asks: []string{"asked"}, says: map[client]func(scenarios.Case, *evidence.Run){"asked": crashes, "never": crashes}}
	found, err := Run(t.Context(), Config{
		Twins: []func(func(string)) subject.Subject{w.twin}, Record: w.record,
		Defects: []defects.Defect{
			{Name: "asked", Kills: "SUBJ-01", Subject: client("asked")},
			{Name: "never", Kills: "SUBJ-01", Subject: client("never")},
			{Name: "uncovered", Kills: "SUBJ-02", Subject: client("never")},
		},
		Cases: []scenarios.Case{{ID: "one/a", Scenario: "one", Covers: []string{"SUBJ-01"}}, {ID: "one/b", Scenario: "one", Covers: []string{"SUBJ-01"}}, {ID: "two", Scenario: "two"}},
		Rules: suites.Rules(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(2 + 1); w.made.Load() != want || found.Runs != int(want) {
		t.Errorf("%d runs were made, and %d counted, want %d", w.made.Load(), found.Runs, want)
	}
	if found.Killed != 1 || !cmp.Equal(found.Dead, []string{"never", "uncovered"}) {
		t.Errorf("%d killed, dead are %q", found.Killed, found.Dead)
	}
	if got := found.Matrix[1].Reason + "; " + found.Matrix[2].Reason; got !=
		"the place where it is wrong is not reached in the scenarios that cover SUBJ-01; no scenario covers SUBJ-02" {
		t.Errorf("the reasons are %q", got)
	}
	if !cmp.Equal(found.Matrix[0].Scenarios, []string{"one"}) || found.Matrix[0].Runs != 1 {
		t.Errorf("noticed in %q after %d runs", found.Matrix[0].Scenarios, found.Matrix[0].Runs)
	}
	if n := len(suites.Rules()); found.Rules.InScope != n || found.Rules.WithDefect != 2 || len(found.Rules.Without) != n-2 {
		t.Errorf("the rules are %+v", found.Rules)
	}
}

func TestAVariantIsAFalseAlarmWhereARuleFails(t *testing.T) {
	t.Parallel()
	w := &world{asks: []string{"fair", "blamed"}, says: map[client]func(scenarios.Case, *evidence.Run){"fair": changes, "blamed": crashes}}
	found, err := Run(t.Context(), Config{
		Twins: []func(func(string)) subject.Subject{w.twin}, Record: w.record,
		Variants: []defects.Variant{{Name: "fair", Subject: client("fair")}, {Name: "blamed", Subject: client("blamed")}},
		Cases:    []scenarios.Case{{ID: "one", Scenario: "one"}, {ID: "two", Scenario: "two"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(found.FalseAlarms, []string{"blamed"}) || len(found.Alarms) != 2 || found.Alarms[0].Run != "one" || found.Good() {
		t.Errorf("false alarms %q: %+v", found.FalseAlarms, found.Alarms)
	}
}

func TestATwinThatIsWrongIsAFalseAlarm(t *testing.T) {
	t.Parallel()
	w := &world{asks: []string{"it"}, says: map[client]func(scenarios.Case, *evidence.Run){"it": crashes}}
	wrong := func(ctx context.Context, s subject.Subject, cases []scenarios.Case, o runner.Options) (runner.Recording, error) {
		rec, err := w.record(ctx, s, cases, o)
		for i := range rec.Runs {
			crashes(cases[i], &rec.Runs[i])
			rec.Runs[i].Calls[0].Client = fmt.Sprintf("%T", s)
		}
		return rec, err
	}
	found, err := Run(t.Context(), Config{
		Twins: []func(func(string)) subject.Subject{w.twin}, Record: wrong,
		Defects: []defects.Defect{{Name: "it", Kills: "SUBJ-01", Subject: client("it")}},
		Cases:   []scenarios.Case{{ID: "one", Scenario: "one", Covers: []string{"SUBJ-01"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(found.FalseAlarms, []string{"the right twin"}) || found.Matrix[0].Status != Mislabelled {
		t.Errorf("false alarms %q, and the defect is %+v", found.FalseAlarms, found.Matrix[0])
	}
}

func TestFaultsAndErrorsOfTheHarness(t *testing.T) {
	t.Parallel()
	w := &world{asks: []string{"it"}, says: map[client]func(scenarios.Case, *evidence.Run){"it": crashes}}
	c := Config{
		Twins: []func(func(string)) subject.Subject{w.twin}, Jobs: 2,
		Defects: []defects.Defect{{Name: "it", Kills: "SUBJ-01", Subject: client("it")}},
		Cases:   []scenarios.Case{{ID: "b", Covers: []string{"SUBJ-01"}}, {ID: "a", Covers: []string{"SUBJ-01"}}},
	}
	c.Record = func(ctx context.Context, s subject.Subject, cases []scenarios.Case, o runner.Options) (runner.Recording, error) {
		rec, err := w.record(ctx, s, cases, o)
		if _, twin := s.(asking); twin {
			rec.Session.Faults = []evidence.Fault{{Scenario: cases[0].ID, Kind: "files", Text: "the disk is full"}}
		}
		return rec, err
	}
	found, err := Run(t.Context(), c)
	if err != nil || len(found.Faults) != 2 || found.Faults[0].Scenario != "a" {
		t.Errorf("%v, faults %+v", err, found.Faults)
	}
	broken := errors.New("no virtual time here")
	c.Record = func(context.Context, subject.Subject, []scenarios.Case, runner.Options) (runner.Recording, error) {
		return runner.Recording{}, broken
	}
	if _, err := Run(t.Context(), c); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ended, c); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestProgressEndsWithTheLastRun(t *testing.T) {
	t.Parallel()
	w := &world{asks: []string{"it"}, says: map[client]func(scenarios.Case, *evidence.Run){"it": nothing}}
	cases := make([]scenarios.Case, 3*portion)
	for i := range cases {
		cases[i] = scenarios.Case{ID: fmt.Sprintf("case/%d", i), Covers: []string{"SUBJ-01"}}
	}
	var told [][2]int
	_, err := Run(t.Context(), Config{
		Twins: []func(func(string)) subject.Subject{w.twin}, Record: w.record, Cases: cases, Jobs: 3,
		Defects:  []defects.Defect{{Name: "it", Kills: "SUBJ-01", Subject: client("it")}},
		Progress: func(done, total int) { told = append(told, [2]int{done, total}) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if last := told[len(told)-1]; last != [2]int{6 * portion, 6 * portion} {
		t.Errorf("the last that is told is %v", last)
	}
}

func TestAVariantThatDoesWhatItsTwinDoesShowsNothing(t *testing.T) {
	t.Parallel()
	w := &world{asks: []string{"same"}, says: map[client]func(scenarios.Case, *evidence.Run){"same": nothing}}
	found, err := Run(t.Context(), Config{
		Twins: []func(func(string)) subject.Subject{w.twin}, Record: w.record,
		Variants: []defects.Variant{{Name: "same", Subject: client("same")}, {Name: "unasked", Subject: client("unasked")}},
		Cases:    []scenarios.Case{{ID: "one", Scenario: "one"}, {ID: "two", Scenario: "two"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(found.Same, []string{"same", "unasked"}) || len(found.FalseAlarms) > 0 || found.Good() {
		t.Errorf("they are %q, false alarms %q", found.Same, found.FalseAlarms)
	}
	if found.Runs != 2+2 { // the twin's, and all of the one that is asked for, in search of a difference
		t.Errorf("%d runs were made", found.Runs)
	}
}

// casesOf makes scenarios of so many cases.
func casesOf(covers []string, numbers ...int) (cases []scenarios.Case, all []int) {
	for _, n := range numbers {
		for k := range n {
			all = append(all, len(cases))
			cases = append(cases, scenarios.Case{ID: fmt.Sprintf("%d/%d", n, k), Scenario: strconv.Itoa(n), Covers: covers})
		}
	}
	return cases, all
}

func TestADefectIsRunInTheOtherCasesWhereItsShareIsNotEnough(t *testing.T) {
	t.Parallel()
	cases, _ := casesOf([]string{"SUBJ-01"}, 8)
	only := func(id string) func(scenarios.Case, *evidence.Run) {
		return func(c scenarios.Case, run *evidence.Run) {
			if c.ID == id {
				crashes(c, run)
			}
		}
	}
	for _, c := range []struct {
		name string
		does func(scenarios.Case, *evidence.Run)
		full bool
		want int
	}{
		{"its share shows it", crashes, false, 8 / sharing},
		{"a case beside shows it", only("8/7"), false, 8},
		{"all is wanted", crashes, true, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := &world{asks: []string{"it"}, says: map[client]func(scenarios.Case, *evidence.Run){"it": c.does}}
			found, err := Run(t.Context(), Config{
				Twins: []func(func(string)) subject.Subject{w.twin}, Record: w.record, Cases: cases, Full: c.full,
				Defects: []defects.Defect{{Name: "it", Kills: "SUBJ-01", Subject: client("it")}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if row := found.Matrix[0]; row.Status != Killed || row.Runs != c.want {
				t.Errorf("it is %s after %d runs", row.Status, row.Runs)
			}
		})
	}
}

func TestDefectsShareTheCasesOfAScenario(t *testing.T) {
	t.Parallel()
	cases, everywhere := casesOf(nil, 1, 3, 9)
	b := &bench{Config: Config{Cases: cases}}
	var together []int
	for number := range 12 {
		own := b.someOfEach(everywhere, number)
		if n := len(own); n != 4 && n != 5 {
			t.Errorf("client %d has %d cases", number, n)
		}
		if own[0] != 0 || own[1] < 1 || own[1] > 3 || own[2] < 4 {
			t.Errorf("client %d has the cases %v, which leave a scenario out", number, own)
		}
		together = append(together, own...)
	}
	slices.Sort(together)
	if diff := cmp.Diff(everywhere, slices.Compact(together)); diff != "" {
		t.Errorf("cases that no client has:\n%s", diff)
	}
}

func TestAVariantComesBeforeEachRule(t *testing.T) {
	t.Parallel()
	var cases []scenarios.Case
	var everywhere []int
	for k := range 40 {
		cases = append(cases, scenarios.Case{ID: strconv.Itoa(k), Covers: []string{"common", strconv.Itoa(k % 5)}})
		everywhere = append(everywhere, k)
	}
	b := &bench{Config: Config{Cases: cases}}
	var together []int
	for number := range spread {
		own := b.beforeEachRule(everywhere, number)
		seen := map[string]int{}
		for _, i := range own {
			for _, rule := range cases[i].Covers {
				seen[rule]++
			}
		}
		if len(seen) != 6 || len(own) > 5*judgings {
			t.Errorf("variant %d comes before %v in the cases %v", number, seen, own)
		}
		together = append(together, own...)
	}
	slices.Sort(together)
	if n := len(slices.Compact(together)); n < len(cases)/2 {
		t.Errorf("the variants have %d cases together", n)
	}
}
