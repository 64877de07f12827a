package subject

import (
	"bytes"
	"encoding/json"
)

// Watch follows the dialogue of a session for somebody who works on its driver. A session that is watched also goes on
// where another would end, as far as anything can still be tried: an author wants to see all that is wrong at once. Its
// functions are called from several goroutines; each may be nil.
type Watch struct {
	// Sent and Heard are told each line before it is written and after it was read, without its end.
	Sent, Heard func(line []byte)
	// Wrong is told what would have ended the session.
	Wrong func(err error)
	// Ended is told how the driver's process ended when the session stopped.
	Ended func(e Ending)
}

// Ending is how a driver's process ended.
type Ending struct {
	// By is what it took: "bye", "TERM" for the end of its standard input and TERM to its group, "KILL", and empty for a
	// process that had ended before anybody asked.
	By string
	// How says it in words: with which exit status, or by which signal.
	How string
	// Failed tells that the exit status was not 0.
	Failed bool
	// Left tells that processes that it had started outlived it.
	Left bool
	// Said is what it wrote to standard error, both ends of it where it is long.
	Said string
}

// Watched is a session whose dialogue can be followed.
type Watched interface {
	Session
	// Watch lets the session be followed. It is called before Start.
	Watch(w Watch)
}

var (
	_ Watched = (*Driver)(nil)
	_ Watched = (*Attached)(nil)
)

// Watch implements Watched.
func (d *Driver) Watch(w Watch) { d.watch = &w }

// Watch implements Watched. Nobody is told how a driver ended that was running already.
func (a *Attached) Watch(w Watch) { a.watch = &w }

func (w *Watch) sent(line []byte) {
	if w != nil && w.Sent != nil {
		w.Sent(bytes.TrimRight(line, "\n"))
	}
}

func (w *Watch) heard(line []byte) {
	if w != nil && w.Heard != nil {
		w.Heard(bytes.TrimRight(line, "\r\n"))
	}
}

// skips tells that a line before the hello is passed over, since it is no message.
func (w *Watch) skips(line []byte) bool {
	var object map[string]json.RawMessage
	return w != nil && json.Unmarshal(line, &object) != nil
}

// forgives takes what is wrong with a hello, and tells whether a session is possible all the same.
func (w *Watch) forgives(in introduction, err error) bool {
	speaks := in.Type != nil && *in.Type == typeHello && in.Protocol != nil && *in.Protocol == ProtocolVersion
	return w != nil && speaks && w.pardon(err) == nil
}

// pardon takes what would end a session; it returns the error where nobody watches.
func (w *Watch) pardon(err error) error {
	if w == nil || err == nil {
		return err
	}
	if w.Wrong != nil {
		w.Wrong(err)
	}
	return nil
}

func (w *Watch) ended(e Ending) {
	if w != nil && w.Ended != nil {
		w.Ended(e)
	}
}
