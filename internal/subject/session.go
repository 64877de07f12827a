package subject

import "context"

// Session is a subject that is started once and then makes the calls of all runs of a judging. It is told one platform,
// which it keeps.
type Session interface {
	Subject
	// Start readies the subject for its first call. The error says what kept it from becoming ready, and what the reader
	// can do. About is complete afterwards.
	Start(ctx context.Context, p Platform) error
	// Lost says why the subject makes no more calls; nil while it does.
	Lost() error
	// Said is the end of what the subject has printed beside its answers, for a reader who asks why it does nothing.
	Said() string
	// Stop ends the subject. Calls that are open end as crashed.
	Stop()
}

// Twinned is a session that can have another of its kind beside it.
type Twinned interface {
	Session
	// Twin returns the same subject for a session of its own, not yet started; nil where there can be none.
	Twin() Session
}

// Breach is something that a driver sent against its protocol.
type Breach struct {
	// Line is what it sent, shortened.
	Line string
	// Why says what is wrong with it.
	Why string
}

// Breaching is an instance that notices breaches of a protocol.
type Breaching interface {
	// Breaches returns what was noticed since it was last asked.
	Breaches() []Breach
}
