package evidence

import "slices"

// MessageID is the message id that a call has sent, as far as is known now: empty before its first send, and where the
// send may be another call's.
func (r *Recorder) MessageID(number int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range r.exchanges {
		if o.facts.messageID != "" && slices.Equal(r.attribution.candidates(r.run.Calls, &o.x, o.facts), []int{number}) {
			return o.facts.messageID
		}
	}
	return ""
}

// PrintedID is the message id that a command has named in what it printed, the first where it named several; empty where
// it named none.
func (r *Recorder) PrintedID(number int) string {
	call, ok := r.Call(number)
	if !ok || call.Command == nil {
		return ""
	}
	for _, id := range call.Command.PrintedIDs() {
		return id
	}
	return ""
}

// TaskID is the id of the Task that a call has returned, empty where it returned none.
func (r *Recorder) TaskID(number int) string {
	call, ok := r.Call(number)
	if !ok || call.Outcome == nil || call.Outcome.Task == nil {
		return ""
	}
	task, _ := ReadJSON(call.Outcome.Task)
	id, _ := task.Member("id").Text()
	return id
}
