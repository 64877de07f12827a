package scenarios

import (
	"io/fs"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Case is one scenario with its variables filled in: what one run is made of.
type Case struct {
	// ID is the scenario's name, or name/key=value,key=value where it has several cases.
	ID       string
	Scenario string
	// Chapter is the folder of data/ that the file lies in; empty for a file of a user.
	Chapter string
	// File is where the scenario was read from.
	File  string
	About string
	// Covers lists the rules that the scenario exercises on the reference client.
	Covers []string
	// Needs lists the capabilities without which a subject skips it.
	Needs []string
	Slow  bool
	// Clock is "virtual" for what makes sense on virtual time only, else empty.
	Clock evidence.Clock
	// Alone asks that nothing else be in flight.
	Alone bool
	// Settle is how long the run is watched after the last call.
	Settle    time.Duration
	Endpoints []Endpoint
	Calls     []CallStep
	When      map[evidence.Op][]Step
	Expect    *Expect
}

// Endpoint is a further server of a scenario, beside the platform and the runtime that every scenario has.
type Endpoint struct {
	Name string
	Side evidence.Side
	// Prefix is the path below the origin that its rpc_url carries ("/p/q", no slash at its end), may be empty.
	Prefix string
	// Slash tells whether the rpc_url ends in a slash.
	Slash   bool
	Accepts evidence.Accepts
}

// The names of the servers that every scenario has.
const (
	EndpointPlatform = "platform"
	EndpointRuntime  = "runtime"
)

// CallStep is one step of what the subject is asked to do: exactly one of its members is set.
type CallStep struct {
	Call     *Call
	Pause    time.Duration
	Together []Call
	Home     *HomeStep
}

// Call is one call of the subject.
type Call struct {
	// ID names the call in the scenario; "call-N" where the file gives none.
	ID string
	Op evidence.CallOp
	// Client, Session, User and Backend are names; calls of one name share the thing. Defaults: "a", "main", "main",
	// "platform".
	Client, Session, User, Backend string
	// After is how long after its step begins the call is started.
	After time.Duration
	// CancelAfter is when the caller gives up, counted from the start of the call; nil for never.
	CancelAfter *time.Duration
	Input       Input
	// Env, Args and Signal are for commands alone: variables of this start ("NAME=VALUE"), words that follow its own, and
	// a signal that it is sent.
	Env, Args []string
	Signal    *Signal
}

// Signal is sent to a command: Delay after the start of its call or, where After names one, after the arrival of that
// request.
type Signal struct {
	// Name is "INT" or "TERM".
	Name  string
	After *AfterExchange
	Delay time.Duration
}

// HomeStep changes the home of a client between two calls: exactly one of Spoil and Put is set.
type HomeStep struct {
	Client string
	// Spoil is what becomes of each left file that holds a token: "cut" (to its half), "empty", "garbage" or "directory".
	Spoil string
	Put   *HomeFile
}

// HomeFile is a file that is put into a home, in place of one that is there.
type HomeFile struct {
	// Path is relative to the home.
	Path, Text string
	Mode       fs.FileMode
}

// Input is what a call is given; the members are those of the driver protocol, with text and files still to be made.
type Input struct {
	Message            evidence.Opt[Text]
	MessageID          evidence.Opt[string]
	StrictDictionary   evidence.Opt[bool]
	JSONRepairAttempts evidence.Opt[float64]
	ResponseKind       evidence.Opt[string]
	Timeout            evidence.Opt[evidence.Timeout]
	TaskID             evidence.Opt[string]
	PollInterval       evidence.Opt[evidence.Timeout]
	WaitTimeout        evidence.Opt[evidence.Timeout]
	Files              []InputFile
}

// Text is a text, given or generated: Repeat written over and over until it has Bytes bytes.
type Text struct {
	Value  string
	Repeat string
	Bytes  int
}

// InputFile is a file that is made for a call.
type InputFile struct {
	Name      string
	MediaType string
	Size      int64
	// Missing files are named in the call and not made.
	Missing bool
}

// Step is one step of a queue: a condition, a reply, and what happens to it on the wire.
type Step struct {
	// Times is how often it answers; 0 means any number of times.
	Times int
	// For is how long it answers, counted from its first match; 0 for no such bound.
	For   time.Duration
	If    *Condition
	Reply Reply
	Wire  Wire
	// Line is the place of the step in its file, for "a step was left over".
	Line int
}

// Condition is what a request must be for a step to take it; every member that is set must hold.
type Condition struct {
	// Token is the name of the token that authorises the request ("platform", or one named in a ready reply).
	Token string
	// Header must be there with this value (any value where it is empty).
	Header map[string]string
	// Body is JSON that the request's body must contain.
	Body []byte
	// Call, Client and Session are names of the scenario.
	Call, Client, Session string
	// After is an exchange that must have been answered.
	After *AfterExchange
}

// AfterExchange names the N-th exchange (from 1) of an operation.
type AfterExchange struct {
	Op evidence.Op
	N  int
}

// Reply is what a server answers: exactly one member is set, beside With.
type Reply struct {
	Ready        *Ready
	Wait         *Wait
	Stop         *Stop
	Message      *Message
	Task         *Task
	MessageLimit *MessageLimit
	RPCError     *RPCError
	Detail       *Detail
	Redirect     *Redirect
	Raw          *Raw
	// Bytes is everything that is written on the connection, head included.
	Bytes *string
	// Default asks for the operation's well-behaved answer.
	Default bool
	// With breaks the body of the answer in exactly one way.
	With *Edit
}

// Ready is an admitting answer of resolve_access.
type Ready struct {
	// Token names the token: the same name hands out the same string again; empty for a fresh one.
	Token string
	// ExpiresIn sets expires_at that long after the answer, an hour where it is absent; null is written as such. An
	// edit leaves the member out.
	ExpiresIn evidence.Opt[time.Duration]
	// Endpoint is the name of the server whose rpc_url is given.
	Endpoint string
	State    string
}

// Wait is a transient answer of resolve_access.
type Wait struct {
	State string
	// RetryAfter becomes retry_after_ms.
	RetryAfter evidence.Opt[time.Duration]
	Notice     string
	Detail     string
}

// Stop is a terminal answer of resolve_access.
type Stop struct {
	State  string
	Notice string
	Detail string
}

// Message is a Message of the Agent.
type Message struct {
	Text string
	// Parts is a JSON array, in place of Text.
	Parts []byte
}

// Task is a Task of the Agent.
type Task struct {
	ID    string
	State string
	Text  string
	// Bare leaves out the wrapping object.
	Bare bool
}

// MessageLimit is the 504 of the Message limit.
type MessageLimit struct {
	// After is when it is answered: 90 s where it is absent.
	After time.Duration
	// Metadata is a JSON object in place of {"limitSeconds": "90"}.
	Metadata []byte
}

// RPCError is an error in the google.rpc shape.
type RPCError struct {
	HTTP     int
	Status   string
	Message  string
	Reason   string
	Domain   string
	Metadata []byte
}

// Detail is a plain error of the platform or the runtime: a status and {"detail": text}.
type Detail struct {
	HTTP   int
	Text   string
	Header map[string]string
}

// Redirect is an answer that points elsewhere.
type Redirect struct {
	Status int
	// To is the name of an endpoint (the path of the operation is kept), or a whole URL or path.
	To string
}

// Raw is an answer given as it goes out, headers and body.
type Raw struct {
	Status int
	Header map[string][]string
	Body   []byte
}

// Edit changes the JSON body of an answer.
type Edit struct {
	// Set gives members, by JSON pointer, the JSON value they get.
	Set map[string][]byte
	// Remove takes members away, by JSON pointer.
	Remove []string
}

// Wire is what happens to a request and its answer on the way; the zero Wire is a plain exchange.
type Wire struct {
	// HeadAfter is how long the head is held back.
	HeadAfter time.Duration
	Pace      *Pace
	Cut       *Cut
	Upload    *Upload
	// Early answers before the request's body is read.
	Early bool
	// Finish ends the connection after a whole answer: "close" or "reset"; empty leaves it open.
	Finish string
	// Informational are 1xx answers sent before the answer itself.
	Informational *Informational
	Gzip          bool
	// ContentType replaces the answer's; null leaves it out.
	ContentType evidence.Opt[string]
	// ContentLength announces this many bytes whatever the body has.
	ContentLength evidence.Opt[int64]
}

// Pace sends an answer in pieces.
type Pace struct {
	// Bytes is the size of a piece; Every the pause before each.
	Bytes int
	Every time.Duration
	// Head paces the status line and the header lines too.
	Head bool
}

// Informational is a row of 1xx answers: the statuses in turn, Times times over (1 where it is absent, 0 without end),
// with Every before each.
type Informational struct {
	Statuses []int
	Every    time.Duration
	Times    int
}

// Cut ends an answer before its end.
type Cut struct {
	// After is where: one of the words "request", "status-line", "headers", or empty for After bytes of body.
	After string
	Bytes int64
	// How is "close", "reset" or "hang".
	How string
}

// Upload reads the request's body slowly, or no further.
type Upload struct {
	// StopAfter is how many bytes of the body are read; -1 for all of it.
	StopAfter int64
	// Bytes are read at a time, with Every between two reads; 0 for as fast as they come.
	Bytes int
	Every time.Duration
}

// Expect is what the reference client does: a check of the file, never of a subject.
type Expect struct {
	Calls  map[evidence.Op]int
	Result map[string]ExpectResult
}

// ExpectResult is the result of a call: "message", "task", or a category of errors.
type ExpectResult struct {
	Is string
}
