package evidence

import (
	"bytes"
	"encoding/json"
	"slices"
)

func (r *Recorder) redactOutcome(o Outcome) *Outcome {
	o.Message = r.redactJSON(o.Message)
	o.Task = r.redactJSON(o.Task)
	o.Reason = r.redactor.text(o.Reason)
	if o.Error == nil {
		return &o
	}
	e := *o.Error
	e.Name = r.redactor.text(e.Name)
	e.Text = r.redactor.text(e.Text)
	e.Bases = r.redactTexts(e.Bases)
	e.Is = slices.Clone(e.Is)
	if e.State != nil {
		state := r.redactor.text(*e.State)
		e.State = &state
	}
	o.Error = &e
	return &o
}

// redactJSON takes the white space out of a result, as the file form does. A result that is no JSON at all is kept as
// a JSON text of what it was, so that the recording can be written and the rules can say so.
func (r *Recorder) redactJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	raw = compact(bytes.ToValidUTF8(r.redactor.bytes(raw), []byte("\uFFFD")))
	if json.Valid(raw) {
		return raw
	}
	text, err := json.Marshal(string(raw))
	if err != nil { // a string can always be written
		return json.RawMessage(`""`)
	}
	return text
}

func (r *Recorder) redactCommand(c *Command) *Command {
	if c == nil {
		return nil
	}
	out := *c
	out.Args = r.redactTexts(c.Args)
	out.Env = r.redactTexts(c.Env)
	out.Stdout = r.redactor.bytes(c.Stdout)
	out.Stderr = r.redactor.bytes(c.Stderr)
	out.Files = slices.Clone(c.Files)
	for i := range out.Files {
		out.Files[i].Path = r.redactor.text(out.Files[i].Path)
		out.Files[i].Content = r.redactor.bytes(out.Files[i].Content)
	}
	return &out
}

func (r *Recorder) redactTexts(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = r.redactor.text(text)
	}
	return out
}
