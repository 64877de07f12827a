package evidence

import "slices"

func (r *Recorder) redactOutcome(o Outcome) *Outcome {
	o.Message = r.redactor.bytes(o.Message)
	o.Task = r.redactor.bytes(o.Task)
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
