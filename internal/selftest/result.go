package selftest

import (
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Result is what a self-test found, in the form that programs read. Members are only ever added.
type Result struct {
	// Defects and Killed count; the three lists name the others.
	Defects     int      `json:"defects"`
	Killed      int      `json:"killed"`
	Mislabelled []string `json:"mislabelled"`
	Silent      []string `json:"silent"`
	Dead        []string `json:"dead"`
	// Variants counts the clients that are right but different. FalseAlarms names those of them, or a twin, for which
	// a rule that binds failed, and Alarms says which.
	Variants    int      `json:"variants"`
	FalseAlarms []string `json:"false_alarms"`
	Alarms      []Alarm  `json:"alarms"`
	// Same names the variants that never did anything else than their twin: they show nothing.
	Same  []string `json:"variants_like_their_twin"`
	Rules Coverage `json:"rules"`
	// Full tells that each defect was run in all scenarios.
	Full bool `json:"full"`
	// Runs counts the runs that were made, the twin's among them.
	Runs   int              `json:"runs"`
	Matrix []Row            `json:"matrix"`
	Faults []evidence.Fault `json:"faults"`
	// Processes is what came of the command lines as processes of their own; nil where none was started.
	Processes *Started `json:"processes"`
}

// Coverage says which rules have a defect that they must catch.
type Coverage struct {
	// InScope counts the rules that bind and that are judged here, WithDefect those of them that a defect breaks.
	InScope    int      `json:"in_scope"`
	WithDefect int      `json:"with_defect"`
	Without    []string `json:"without"`
}

// Row is what came of one defect.
type Row struct {
	Defect string `json:"defect"`
	// Rule is the one that must notice.
	Rule   string `json:"rule"`
	Status Status `json:"status"`
	// Failed are the rules that failed in the scenarios that cover Rule, and Scenarios those of them in which Rule did.
	Failed    []string `json:"failed"`
	Scenarios []string `json:"scenarios"`
	// Elsewhere are the rules that failed in other scenarios, where those were run too.
	Elsewhere []string `json:"elsewhere"`
	// Reason says why the defect is not killed; empty where it is.
	Reason string `json:"reason"`
	// Runs counts the runs that were made of it: those in which its place is reached.
	Runs int `json:"runs"`
}

// Alarm is a rule that failed for a client that is right.
type Alarm struct {
	Client string `json:"client"`
	Rule   string `json:"rule"`
	Run    string `json:"run"`
	Reason string `json:"reason"`
}

// alarmsOf lists the rules that failed for a client that is right. A SHOULD rule may warn of it.
func alarmsOf(name string, against []found) []Alarm {
	var alarms []Alarm
	for _, c := range against {
		if c.Status == suites.Failed {
			alarms = append(alarms, Alarm{name, c.Rule, c.Run, c.Reason})
		}
	}
	return alarms
}

// alarms lists what is broken by a twin: it must hold also what should be held, or no defect of that is seen.
func (t *twin) alarms() []Alarm {
	var alarms []Alarm
	for _, run := range t.runs {
		for _, c := range run.broken {
			alarms = append(alarms, Alarm{"the right " + t.make(nil).About().Name, c.Rule, c.Run, c.Reason})
		}
	}
	return alarms
}

// account is what came of a variant.
type account struct {
	alarms []Alarm
	same   bool
}

// result sums up.
func (b *bench) result(rows []Row, of []account, alarms []Alarm) Result {
	order := suites.RuleIDs()
	at := func(rule string) int { return slices.Index(order, rule) }
	r := Result{
		Defects: len(rows), Mislabelled: []string{}, Silent: []string{}, Dead: []string{}, Variants: len(b.Variants),
		FalseAlarms: []string{}, Alarms: []Alarm{}, Same: []string{}, Full: b.Full, Runs: b.done, Matrix: rows,
		Faults: append([]evidence.Fault{}, b.faults...), Rules: b.coverage(),
	}
	slices.SortFunc(r.Faults, func(a, b evidence.Fault) int {
		return strings.Compare(a.Scenario+"\x00"+a.Text, b.Scenario+"\x00"+b.Text)
	})
	for _, row := range rows {
		byCatalogue := func(a, b string) int { return at(a) - at(b) }
		slices.SortFunc(row.Failed, byCatalogue)
		slices.SortFunc(row.Elsewhere, byCatalogue)
		switch row.Status {
		case Killed:
			r.Killed++
		case Mislabelled:
			r.Mislabelled = append(r.Mislabelled, row.Defect)
		case Silent:
			r.Silent = append(r.Silent, row.Defect)
		case Dead:
			r.Dead = append(r.Dead, row.Defect)
		}
	}
	slices.SortStableFunc(r.Matrix, func(x, y Row) int { return at(x.Rule) - at(y.Rule) })
	for i, v := range of {
		r.Alarms = append(r.Alarms, v.alarms...)
		if v.same {
			r.Same = append(r.Same, b.Variants[i].Name)
		}
	}
	r.Alarms = append(r.Alarms, alarms...)
	for _, a := range r.Alarms {
		r.FalseAlarms = with(r.FalseAlarms, a.Client)
	}
	return r
}

// coverage tells which of the rules have a defect.
func (b *bench) coverage() Coverage {
	c := Coverage{InScope: len(b.Rules), Without: []string{}}
	for _, rule := range b.Rules {
		broken := false
		for _, d := range b.Defects {
			broken = broken || d.Kills == rule.ID
		}
		if !broken {
			c.Without = append(c.Without, rule.ID)
		}
	}
	c.WithDefect = c.InScope - len(c.Without)
	return c
}

// Good tells whether every defect was killed, every rule has one, and no client that is right was found to be wrong or
// shows nothing.
func (r Result) Good() bool {
	noticed := r.Processes == nil || len(r.Processes.Silent) == 0
	return r.Killed == r.Defects && len(r.Rules.Without) == 0 && len(r.FalseAlarms) == 0 && len(r.Same) == 0 && noticed
}
