package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/suites"
)

// The elements of the form, as far as its readers agree on them.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string     `xml:"classname,attr"`
		Name    string     `xml:"name,attr"`
		Failure *junitText `xml:"failure"`
		Error   *junitText `xml:"error"`
		Skipped *junitText `xml:"skipped"`
		Output  string     `xml:"system-out,omitempty"`
	}
	junitText struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a testsuite for each chapter and a testcase for each rule in each scenario. The verdict is a testcase
// too: what ends with another code than 0 never looks green.
func writeJUnit(w io.Writer, r verdict.Result, _ Options) error {
	all := junitSuites{Name: "a2a-conform: " + clean(r.Subject.Name), Time: fmt.Sprintf("%.3f", float64(r.DurationMS)/1000)}
	cases := casesOf(r)
	all.Suites = append(all.Suites, junitVerdict(r))
	for _, ch := range chaptersOf(r.Rules) {
		suite := junitSuite{Name: strings.TrimSpace(ch.id + " " + ch.title)}
		for _, rr := range ch.rules {
			suite.Cases = append(suite.Cases, junitRule(r, rr, cases[rr.Rule])...)
		}
		all.Suites = append(all.Suites, suite)
	}
	for i := range all.Suites {
		all.count(&all.Suites[i])
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", " ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// count counts the cases of a suite, for it and for all.
func (s *junitSuites) count(suite *junitSuite) {
	for _, c := range suite.Cases {
		suite.Tests++
		switch {
		case c.Failure != nil:
			suite.Failures++
		case c.Error != nil:
			suite.Errors++
		case c.Skipped != nil:
			suite.Skipped++
		}
	}
	s.Tests, s.Failures = s.Tests+suite.Tests, s.Failures+suite.Failures
	s.Errors, s.Skipped = s.Errors+suite.Errors, s.Skipped+suite.Skipped
}

// junitVerdict is the suite of what is said of the judging as a whole.
func junitVerdict(r verdict.Result) junitSuite {
	suite := junitSuite{Name: "verdict"}
	one := junitCase{Class: "verdict", Name: "exit code 0"}
	what := &junitText{Message: clean(verdictWords(r.Verdict) + ", exit " + strconv.Itoa(r.Exit) + ": " + r.ExitReason)}
	switch r.Exit {
	case verdict.ExitOK:
		one.Output = what.Message
	case verdict.ExitNonConformant, verdict.ExitStale:
		one.Failure = what
	default:
		one.Error = what
	}
	suite.Cases = append(suite.Cases, one)
	for _, f := range r.Faults {
		suite.Cases = append(suite.Cases, junitCase{
			Class: "fault", Name: clean(f.Scenario),
			Error: &junitText{Message: clean("a fault of the harness or a scenario, not of the subject (" + f.Kind + "): " + f.Text)},
		})
	}
	if r.Baseline == nil {
		return suite
	}
	for _, e := range r.Baseline.Entries {
		if e.State == verdict.EntryStale {
			suite.Cases = append(suite.Cases, junitCase{
				Class: "baseline", Name: clean(e.Name()),
				Failure: &junitText{Message: clean(staleText(e) + "; take it out of " + r.Baseline.File + ", line " + strconv.Itoa(e.Line))},
			})
		}
	}
	return suite
}

// junitRule makes the testcases of a rule; one that was left open has a single one, which is skipped.
func junitRule(r verdict.Result, rr verdict.RuleResult, cases []testcase) []junitCase {
	class := rr.Rule
	if rr.Checks == 0 {
		why := words(string(rr.Status)) + ": " + rr.Reason
		if rr.Known != "" {
			why += " (known: " + rr.Known + ")"
		}
		return []junitCase{{Class: class, Name: "in any scenario", Skipped: &junitText{Message: clean(why)}}}
	}
	made := make([]junitCase, 0, len(cases))
	whole := 0 // failures told with all there is: one shows what is wrong, the others where
	for _, tc := range cases {
		c := junitCase{Class: class, Name: clean(tc.scenario)}
		switch tc.status {
		case suites.Failed:
			c.Failure = junitFailure(r, rr, tc, whole < 1)
			whole++
		case suites.ExpectedFailure:
			c.Skipped = &junitText{Message: clean("known failure: " + strings.Join(tc.found[0].Known, "; ") + " (seen: " + tc.found[0].Reason + ")")}
		case suites.Inconclusive:
			c.Skipped = &junitText{Message: clean("inconclusive: " + tc.found[0].Reason)}
		case suites.Warned, suites.Observed:
			c.Output = clean(string(tc.status) + ": " + tc.found[0].Reason)
		case suites.Passed: // nothing is said of it
		}
		made = append(made, c)
	}
	return made
}

// junitFailure tells of a rule that failed in a scenario.
func junitFailure(r verdict.Result, rr verdict.RuleResult, tc testcase, whole bool) *junitText {
	c := tc.found[verdict.Example(tc.found)]
	f := &junitText{Message: clean(fit(c.Reason, 300))}
	text := fmt.Sprintf("failed in %d of %s, first in %s, call %d\n", len(tc.found), plural(tc.checks, "check"), c.Scenario, c.Call)
	if whole {
		text += fmt.Sprintf("obligation: the subject %s %s (%s)\n", verb(rr.Level), rr.Obligation, source(r.Contract.ID, rr.Section))
		text += "seen: " + c.Reason + "\n"
		if c.Seen != "" {
			text += c.Seen + "\n"
		}
		text += "expected: " + c.Expected + "\nusual cause: " + c.Cause + "\n"
	}
	if c.Repeat != "" {
		text += "repeat: " + c.Repeat + "\n"
	}
	f.Text = clean(text)
	return f
}
