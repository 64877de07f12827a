package evidence

import (
	"encoding/json"
	"fmt"
	"math"
)

// Call is one request that the harness made of the subject, and what came of it.
type Call struct {
	// Number counts from 1 in the order in which calls were started.
	Number int `json:"number"`
	// Client names the instance (the home, for commands): calls of one name share what they cache.
	Client  string `json:"client"`
	Session string `json:"session"`
	// User and Backend tell on whose behalf, and against which platform, the call was made.
	User    string      `json:"user,omitempty"`
	Backend string      `json:"backend,omitempty"`
	Op      CallOp      `json:"op"`
	Input   Input       `json:"input"`
	Files   []InputFile `json:"files,omitempty"`
	// Home is what was done to the client's home since its last call, in that order; commands alone have homes.
	Home    []HomeChange `json:"home,omitempty"`
	Started Offset       `json:"started"`
	// Ended is nil when the call never ended.
	Ended *Offset `json:"ended"`
	// Elapsed is the driver's own measure, nil where it gave none.
	Elapsed *Offset `json:"elapsed"`
	// Cancelled is when the caller gave up, nil where it did not.
	Cancelled *Offset  `json:"cancelled,omitempty"`
	Signal    *Signal  `json:"signal,omitempty"`
	Outcome   *Outcome `json:"outcome"`
	Command   *Command `json:"command,omitempty"`
}

// CallOp is the operation asked of the subject.
type CallOp string

// The operations a subject may be asked for.
const (
	CallSend       CallOp = "send"
	CallGetTask    CallOp = "get_task"
	CallCancelTask CallOp = "cancel_task"
	CallWaitTask   CallOp = "wait_task"
)

// Input is what the subject was given, with the members and names of the driver protocol. A member that is absent or
// null leaves the choice to the client.
type Input struct {
	Message            Opt[string]      `json:"message,omitzero"`
	MessageID          Opt[string]      `json:"message_id,omitzero"`
	StrictDictionary   Opt[bool]        `json:"strict_dictionary,omitzero"`
	JSONRepairAttempts Opt[json.Number] `json:"json_repair_attempts,omitzero"`
	ResponseKind       Opt[string]      `json:"response_kind,omitzero"`
	Timeout            Opt[Timeout]     `json:"timeout,omitzero"`
	TaskID             Opt[string]      `json:"task_id,omitzero"`
	PollInterval       Opt[Timeout]     `json:"poll_interval,omitzero"`
	WaitTimeout        Opt[Timeout]     `json:"wait_timeout,omitzero"`
}

// Timeout is a caller's timeout in seconds: one total, or a (connect, read) pair (ADR, Timeouts). Values that a
// client must refuse (zero, negative, NaN, infinite) are kept as they were given.
type Timeout struct {
	Pair    bool
	Total   float64
	Connect float64
	Read    float64
}

// Sum is the total budget in seconds.
func (t Timeout) Sum() float64 {
	if t.Pair {
		return t.Connect + t.Read
	}
	return t.Total
}

// Usable tells whether every number is finite and above zero.
func (t Timeout) Usable() bool {
	ok := func(f float64) bool { return f > 0 && !math.IsInf(f, 0) }
	if t.Pair {
		return ok(t.Connect) && ok(t.Read)
	}
	return ok(t.Total)
}

// MarshalJSON writes a number or a pair; NaN and the infinities are written as text.
func (t Timeout) MarshalJSON() ([]byte, error) {
	if t.Pair {
		return json.Marshal([]seconds{seconds(t.Connect), seconds(t.Read)})
	}
	return json.Marshal(seconds(t.Total))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Timeout) UnmarshalJSON(data []byte) error {
	var pair []seconds
	if json.Unmarshal(data, &pair) == nil {
		if len(pair) != 2 {
			return fmt.Errorf("a timeout pair has %d numbers, want connect and read", len(pair))
		}
		*t = Timeout{Pair: true, Connect: float64(pair[0]), Read: float64(pair[1])}
		return nil
	}
	var one seconds
	if err := json.Unmarshal(data, &one); err != nil {
		return err
	}
	*t = Timeout{Total: float64(one)}
	return nil
}

// seconds is a number that JSON may not be able to write.
type seconds float64

// MarshalJSON writes what is no number of JSON as a word.
func (s seconds) MarshalJSON() ([]byte, error) {
	switch f := float64(s); {
	case math.IsNaN(f):
		return []byte(`"NaN"`), nil
	case math.IsInf(f, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-Infinity"`), nil
	default:
		return json.Marshal(f)
	}
}

// UnmarshalJSON reads a number, or one of the words that MarshalJSON writes.
func (s *seconds) UnmarshalJSON(data []byte) error {
	var word string
	if json.Unmarshal(data, &word) != nil {
		return json.Unmarshal(data, (*float64)(s))
	}
	switch word {
	case "NaN":
		*s = seconds(math.NaN())
	case "Infinity":
		*s = seconds(math.Inf(1))
	case "-Infinity":
		*s = seconds(math.Inf(-1))
	default:
		return fmt.Errorf("timeout %q is not a number of seconds", word)
	}
	return nil
}

// InputFile is a file that was handed to the call.
type InputFile struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type,omitempty"`
	Size      int64  `json:"size"`
	SHA256    string `json:"sha256"`
	// Readable is false for a file that is missing or may not be read.
	Readable bool `json:"readable"`
}

// Signal is a signal that was sent to a command.
type Signal struct {
	Name string `json:"name"`
	At   Offset `json:"at"`
}

// Command is what is known of a command beside its outcome.
type Command struct {
	Args   []string   `json:"args"`
	Env    []string   `json:"env"`
	Exit   int        `json:"exit"`
	Signal string     `json:"signal,omitempty"`
	Stdout Text       `json:"stdout"`
	Stderr Text       `json:"stderr"`
	Files  []LeftFile `json:"files"`
}

// HomeChange is what was done to the home of a command between two calls.
type HomeChange struct {
	// Spoiled is how each file that held a token was damaged, empty where a file was put: cut (to its half), empty,
	// garbage or directory (one in place of the file).
	Spoiled string `json:"spoiled,omitempty"`
	// Put is the path, below the home, of a file that was put there; Mode are its permission bits in octal digits.
	Put  string `json:"put,omitempty"`
	Mode string `json:"mode,omitempty"`
}

// LeftFile is a file that a command left in its home.
type LeftFile struct {
	Path           string `json:"path"`
	Mode           string `json:"mode"`
	ModeAtCreation string `json:"mode_at_creation,omitempty"`
	Size           int64  `json:"size"`
	Content        Text   `json:"content"`
}

// Outcome is exactly what the client gave its caller.
type Outcome struct {
	Kind    OutcomeKind     `json:"kind"`
	Message json.RawMessage `json:"message,omitempty"`
	Task    json.RawMessage `json:"task,omitempty"`
	Error   *Error          `json:"error,omitempty"`
	// Reason says why a call is unsupported, or how it crashed.
	Reason string `json:"reason,omitempty"`
}

// OutcomeKind tells what a call returned.
type OutcomeKind string

// The kinds of outcome. Printed is a command's: what can be known of it stands in Call.Command.
const (
	OutcomeMessage     OutcomeKind = "message"
	OutcomeTask        OutcomeKind = "task"
	OutcomeError       OutcomeKind = "error"
	OutcomeUnsupported OutcomeKind = "unsupported"
	OutcomeCrash       OutcomeKind = "crash"
	OutcomePrinted     OutcomeKind = "printed"
)

// Error is an error as the caller saw it, in the categories of the driver protocol.
type Error struct {
	Category Category `json:"category"`
	// Is lists the categories whose ordinary class would also catch this error.
	Is []Category `json:"is"`
	// Name and Bases are the client's own class or kind names, most specific first.
	Name         string   `json:"name"`
	Bases        []string `json:"bases"`
	Text         string   `json:"text"`
	Status       *int     `json:"status"`
	LimitSeconds *float64 `json:"limit_seconds"`
	State        *string  `json:"state"`
}

// Category is the reading of an error that a driver's author gives.
type Category string

// The categories of errors. The empty category means that the client does not let one tell.
const (
	NotReady        Category = "not_ready"
	Blocked         Category = "blocked"
	TimedOut        Category = "timeout"
	MessageLimit    Category = "message_limit"
	ServerFailed    Category = "server_error"
	Unauthorized    Category = "unauthorized"
	Rejected        Category = "rejected"
	InvalidResponse Category = "invalid_response"
	InvalidArgument Category = "invalid_argument"
	Transport       Category = "transport"
	NotAdvertised   Category = "not_advertised"
	Other           Category = "other"
)

// Categories are all categories that have a name.
func Categories() []Category {
	return []Category{
		NotReady, Blocked, TimedOut, MessageLimit, ServerFailed, Unauthorized, Rejected, InvalidResponse, InvalidArgument,
		Transport, NotAdvertised, Other,
	}
}
