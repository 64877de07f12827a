package evidence

import (
	"fmt"
	"time"
)

// Offset is a moment of a run: the time since its epoch, exact to the nanosecond. Its text form is that of
// time.Duration ("1.500001009s").
type Offset time.Duration

// Duration returns the offset as a duration since the epoch.
func (o Offset) Duration() time.Duration { return time.Duration(o) }

// Add returns the moment d later.
func (o Offset) Add(d time.Duration) Offset { return o + Offset(d) }

// Sub returns how much later o is than other.
func (o Offset) Sub(other Offset) time.Duration { return time.Duration(o - other) }

// String writes the offset as a duration.
func (o Offset) String() string { return time.Duration(o).String() }

// MarshalText writes the offset as a duration.
func (o Offset) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads a duration.
func (o *Offset) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("read a time of the recording: %w", err)
	}
	*o = Offset(d)
	return nil
}

// Span is a length of time in the recording, written as a duration ("250ms").
type Span = Offset

// Verdict of a comparison of two times on a clock with tolerances.
type Verdict int

// The three answers: on a real clock a time nearer to a border than the tolerance is Unclear.
const (
	No Verdict = iota
	Unclear
	Yes
)

// NotBefore tells whether something that happened at t did not happen before border. The tolerance of the run's
// clock makes a narrow miss unclear; on virtual time it is zero and the answer is exact.
func (r *Run) NotBefore(t, border Offset) Verdict {
	switch early := r.Tolerance.Early + r.Tolerance.Noise; {
	case t >= border:
		return Yes
	case t+early >= border:
		return Unclear
	default:
		return No
	}
}

// NotAfter tells whether something that happened at t did not happen after border.
func (r *Run) NotAfter(t, border Offset) Verdict {
	switch late := r.Tolerance.Late + r.Tolerance.Noise; {
	case t <= border:
		return Yes
	case t <= border+late:
		return Unclear
	default:
		return No
	}
}
