package evidence

// SchemaVersion is the version of the recording's file form. A reader refuses any other.
const SchemaVersion = 1

// Session is what is recorded once for all runs of one judging.
type Session struct {
	Schema    int        `json:"schema"`
	Tool      Tool       `json:"tool"`
	Contract  Contract   `json:"contract"`
	Subject   Subject    `json:"subject"`
	Selection Selection  `json:"selection"`
	Clock     Clock      `json:"clock"`
	Control   Control    `json:"control"`
	Skipped   []Skipped  `json:"skipped"`
	Strays    []Exchange `json:"strays"`
	Faults    []Fault    `json:"faults"`
	// Incomplete says why not every run that was wanted was made ("the time limit was reached"); empty where all were.
	Incomplete string `json:"incomplete,omitempty"`
	// Repeat is the command line that repeats a part of the session; the word RepeatFilter in it stands for the rule
	// and the run.
	Repeat []string `json:"repeat"`
}

// RepeatFilter is the word of Session.Repeat that stands for a rule and a run.
const RepeatFilter = "{filter}"

// Tool names the program that made the recording.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Contract names the text that is judged and the date of its last amendment.
type Contract struct {
	ID       string `json:"id"`
	Revision string `json:"revision"`
}

// Subject describes who was asked to make the calls, and what it says it can do.
type Subject struct {
	Kind         SubjectKind `json:"kind"`
	Name         string      `json:"name"`
	Version      string      `json:"version"`
	Capabilities []string    `json:"capabilities"`
	Constants    Constants   `json:"constants"`
	Parallel     int         `json:"parallel"`
	// Command tells that the subject is a command line: rules of side K apply, and outcomes are printed.
	Command bool `json:"command,omitempty"`
}

// SubjectKind tells how the subject is reached.
type SubjectKind string

// The kinds of subject.
const (
	KindReference SubjectKind = "reference"
	// KindInProcess is a Go client of somebody else's, run on virtual time like the reference client.
	KindInProcess SubjectKind = "in_process"
	KindDriver    SubjectKind = "driver"
	KindAttach    SubjectKind = "attach"
	KindCommand   SubjectKind = "command"
	KindEndpoint  SubjectKind = "endpoint"
	KindRecording SubjectKind = "recording"
)

// Constants are what a client says it fixes: waits in milliseconds, the rest in seconds. They may lengthen the
// numbers that the harness chooses and never excuse a rule.
type Constants struct {
	MinWaitMS     *float64 `json:"min_wait_ms,omitempty"`
	MaxWaitMS     *float64 `json:"max_wait_ms,omitempty"`
	CacheSkew     *float64 `json:"cache_skew,omitempty"`
	CacheFallback *float64 `json:"cache_fallback,omitempty"`
	GraceMS       *float64 `json:"grace_ms,omitempty"`
}

// Selection is what part of the catalogue was asked for.
type Selection struct {
	Rules     []string `json:"rules"`
	Scenarios []string `json:"scenarios"`
	Level     string   `json:"level"`
	Slow      bool     `json:"slow"`
}

// Control is the outcome of the plain success case that comes before any judging.
type Control struct {
	Held bool   `json:"held"`
	Text string `json:"text,omitempty"`
}

// Skipped is a scenario that did not run, with a reason its reader can act on.
type Skipped struct {
	Scenario string `json:"scenario"`
	Reason   string `json:"reason"`
}

// Fault is a defect of the harness or of a scenario, never of the subject.
type Fault struct {
	Scenario string `json:"scenario"`
	Kind     string `json:"kind"`
	Text     string `json:"text"`
}

// The kinds of fault that the reference client shows in a scenario file: it did not do what the file expects, steps
// were left over, a rule that the file says it covers did not apply. They count only where the reference client broke
// no rule: a broken one does not do what files expect of it.
const (
	FaultExpect   = "expect"
	FaultLeftover = "leftover"
	FaultCovers   = "covers"
)

// OfFile tells whether the fault is one of a scenario file that a broken reference client may have caused.
func (f Fault) OfFile() bool {
	return f.Kind == FaultExpect || f.Kind == FaultLeftover || f.Kind == FaultCovers
}

// Clock tells on which time a run was made.
type Clock string

// The two clocks: virtual is exact, real is the machine's.
const (
	ClockVirtual Clock = "virtual"
	ClockReal    Clock = "real"
)
