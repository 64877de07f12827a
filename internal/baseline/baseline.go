// Package baseline reads and writes files of known failures: what a subject is known to break, each with the reason why
// that is accepted for now.
//
// The room knows the file, its form and what makes an entry one that could ever excuse something. Whether an entry does,
// or is stale, is the work of verdict.
package baseline

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/a2a-conform/a2a-conform/internal/yamltext"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Status is what an entry says of its rule.
type Status string

// The statuses of an entry. Failed excuses checks; the others excuse that a MUST rule as a whole was left open.
const (
	Failed       Status = "failed"
	NotExercised Status = "not_exercised"
	Inconclusive Status = "inconclusive"
	Unsupported  Status = "unsupported"
)

// Statuses lists them, the one that is meant where a file names none first.
func Statuses() []Status { return []Status{Failed, NotExercised, Inconclusive, Unsupported} }

// Unreviewed is the reason that an entry gets when it is written by the program: a person is to write a better one.
const Unreviewed = "not looked at yet"

// Entry is one thing that is known.
type Entry struct {
	// Rule is the id of a rule of the catalogue, never one of the harness's own.
	Rule string
	// Scenario is the name of a scenario, the id of a run or a pattern on both (scenarios.Matches); empty for all.
	Scenario string
	Status   Status
	Reason   string
	// Issue is where the failure is being worked on; empty where the file does not say.
	Issue string
	// Expires is the last day on which the entry holds, as 2006-01-02; empty for one that holds until it is taken out.
	Expires string
	// Line is where the entry stands in its file, from 1; 0 for one that is not in it yet.
	Line int

	at yamltext.Place
}

// Name is the rule and, where there is one, the scenario.
func (e Entry) Name() string {
	if e.Scenario == "" {
		return e.Rule
	}
	return e.Rule + " " + e.Scenario
}

// Takes tells whether the entry is about a run, by its id.
func (e Entry) Takes(run string) bool {
	return e.Scenario == "" || scenarios.Matches(e.Scenario, run)
}

// File is a file of known failures.
type File struct {
	// Path is where it was read from, as it was given.
	Path    string
	Entries []Entry

	text string
	form form
}

// Read reads a file. Its error is *scenarios.Problems with everything that is wrong with it, each with its place.
func Read(path string) (File, error) {
	content, err := load(path)
	if err != nil {
		return File{}, &scenarios.Problems{List: []scenarios.Problem{{File: path, Text: err.Error()}}}
	}
	return Parse(path, content)
}

// load reads a plain file of no more than the largest size that is parsed.
func load(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("is no plain file") // reading a pipe or a device might never end
	}
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", cause(err))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", cause(err))
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", cause(err))
	}
	return content, nil
}

// cause is an error of the file system without the path, which the problem has already.
func cause(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}

// Expired says which entries no longer hold on a day, with their places. An entry holds on the day that it names.
func (f File) Expired(today time.Time) []string {
	day := today.Format(time.DateOnly)
	var found []string
	for _, e := range f.Entries {
		if e.Expires != "" && e.Expires < day {
			found = append(found, f.problem(e, "the entry for %s expired on %s: look at it again, then give it a later day or take it out", e.Name(), e.Expires).String())
		}
	}
	return found
}

// Unmatched says which entries name a scenario or a run that there is not, of all that could be run.
func (f File) Unmatched(known func(pattern string) bool, names []string) []string {
	var found []string
	for _, e := range f.Entries {
		if e.Scenario != "" && !known(e.Scenario) {
			found = append(found, f.problem(e, "no scenario and no run is called %q%s", e.Scenario, scenarios.DidYouMean(e.Scenario, names)).String())
		}
	}
	return found
}

func (f File) problem(e Entry, format string, args ...any) scenarios.Problem {
	return scenarios.Problem{File: f.Path, Line: e.at.Line, Col: e.at.Col, Text: fmt.Sprintf(format, args...)}
}

// harness is the chapter of the harness's own rules.
const harness = "SUBJ"

// wrong says why an entry could never excuse anything; empty where nothing is wrong with it.
func (e Entry) wrong(rules []suites.Rule) string {
	i := slices.IndexFunc(rules, func(r suites.Rule) bool { return r.ID == e.Rule })
	if i < 0 {
		return fmt.Sprintf("there is no rule %q%s", shown(e.Rule), scenarios.DidYouMean(e.Rule, suites.RuleIDs()))
	}
	switch rule := rules[i]; {
	case rule.Chapter() == harness:
		return e.Rule + " is a rule of the harness: a subject that crashes, hangs or leaves things running is never excused"
	case rule.Level == suites.Observe:
		return e.Rule + " only observes: it never fails"
	case e.Status != Failed && rule.Level != suites.Must:
		return fmt.Sprintf("%s is a %s rule: status %s would excuse nothing, for only MUST rules have to be exercised", e.Rule, rule.Level, e.Status)
	case e.Status != Failed && e.Scenario != "":
		return fmt.Sprintf("status %s is of the rule as a whole: take scenario out", e.Status)
	}
	return ""
}

// check looks at entries whose members were read, and at whether two say the same.
func check(entries []Entry, c *problems) {
	rules := suites.Rules()
	for i, e := range entries {
		if e.Rule != "" && slices.Contains(Statuses(), e.Status) {
			if why := e.wrong(rules); why != "" {
				c.addf(e.at, "%s", why)
			}
		}
		for _, before := range entries[:i] {
			if before.Rule == e.Rule && before.Scenario == e.Scenario && before.Status == e.Status && e.Rule != "" {
				c.addf(e.at, "%s is here twice, first at line %d", e.Name(), before.Line)
				break
			}
		}
	}
}
