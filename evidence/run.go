package evidence

import "time"

// Run is the recording of one case of a scenario against one subject.
type Run struct {
	// ID is the scenario's name, or scenario/case where it has several.
	ID    string `json:"id"`
	Clock Clock  `json:"clock"`
	// Epoch is the moment, in UTC, that all offsets count from.
	Epoch     time.Time `json:"epoch"`
	Tolerance Tolerance `json:"tolerance"`
	// ObservedUntil is how long the run was watched: silence is only known up to here.
	ObservedUntil Offset       `json:"observed_until"`
	End           End          `json:"end"`
	Secrets       []Secret     `json:"secrets"`
	Endpoints     []Endpoint   `json:"endpoints"`
	Calls         []Call       `json:"calls"`
	Exchanges     []Exchange   `json:"exchanges"`
	Connections   []Connection `json:"connections"`
	// Breaches are what a driver sent against its protocol while the run was under way.
	Breaches []Breach `json:"breaches,omitempty"`
}

// Breach is something that a driver sent against its protocol.
type Breach struct {
	At Offset `json:"at"`
	// Line is what it sent, shortened.
	Line string `json:"line"`
	// Why says what is wrong with it.
	Why string `json:"why"`
}

// Tolerance is by how much the clock of a run may mislead: zero on virtual time.
type Tolerance struct {
	Early Offset `json:"early"`
	Late  Offset `json:"late"`
	Noise Offset `json:"noise"`
}

// End tells how a run came to rest.
type End struct {
	How  EndKind `json:"how"`
	Text string  `json:"text,omitempty"`
}

// EndKind is the way in which a run came to rest.
type EndKind string

// The ways in which a run ends; all but the first are the subject's failure (SUBJ-01, SUBJ-02).
const (
	EndSettled  EndKind = "settled"
	EndDeadlock EndKind = "deadlock"
	EndPanic    EndKind = "panic"
	EndLeak     EndKind = "leak"
	EndRunaway  EndKind = "runaway"
	EndHang     EndKind = "hang"
)

// Secret is a token that was handed out in the run. Its value is nowhere in the recording; its name stands where the
// value stood.
type Secret struct {
	Name    string     `json:"name"`
	Kind    SecretKind `json:"kind"`
	Session string     `json:"session,omitempty"`
	User    string     `json:"user,omitempty"`
	Backend string     `json:"backend,omitempty"`
}

// SecretKind tells which credential a secret is.
type SecretKind string

// The credentials of the contract.
const (
	SecretPlatform SecretKind = "platform"
	SecretRefresh  SecretKind = "refresh"
	SecretRuntime  SecretKind = "runtime"
)

// Endpoint is a server of the run, by its origin.
type Endpoint struct {
	Name string `json:"name"`
	Side Side   `json:"side"`
	// Origin is scheme://host:port, the port always written.
	Origin  string  `json:"origin"`
	Accepts Accepts `json:"accepts"`
}

// Side tells whose server an endpoint is.
type Side string

// The sides. Elsewhere is a server that belongs to neither: nothing of the contract may reach it.
const (
	SidePlatform  Side = "platform"
	SideRuntime   Side = "runtime"
	SideElsewhere Side = "elsewhere"
)

// Accepts tells what an endpoint does with a connection.
type Accepts string

// What an endpoint may do with a connection.
const (
	AcceptsYes    Accepts = "yes"
	AcceptsRefuse Accepts = "refuse"
	AcceptsHang   Accepts = "hang"
)
