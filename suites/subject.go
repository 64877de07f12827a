package suites

import (
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// subjectRules are the harness's own rules: a subject that hangs, crashes or cannot do what it claims is not judged by
// anything else, so these have to say so.
func subjectRules() []Rule { return []Rule{subj01(), subj02(), subj03()} }

func subj01() Rule {
	return Rule{
		ID: "SUBJ-01", Level: Must, Sides: []Side{Client, Command}, Section: "harness",
		Obligation: "end each call with an outcome: no crash, no hang, no panic, no deadlock",
		Cause: "The client waits for something that never comes (a body without an end, a lock, a channel), or an answer that it did not expect " +
			"takes it down. The text of the end names the place where it was known.",
		Right: "Every call ends with a result or an error within its budget.",
		Wrong: "The call is still open an hour after its budget has run out.",
		Judge: func(c *Call, j *Judgement) {
			end := c.Run.End
			switch {
			case c.Outcome != nil && c.Outcome.Kind == evidence.OutcomeCrash:
				j.Fail("the call crashed"+because(c.Outcome.Reason), "a result or an error")
			case breaksCall(c.Run) && c.blamedForEnd():
				j.Fail("the run ended as "+string(end.How)+" in this call"+because(end.Text), "a result or an error")
			case c.Done():
				j.Pass()
			}
		},
	}
}

// breaksCall tells whether the run ended in a way that a call answers for. A runaway in process is the matter of
// SUBJ-02; elsewhere nothing else judges it.
func breaksCall(r *Run) bool {
	switch r.End.How {
	case evidence.EndDeadlock, evidence.EndPanic, evidence.EndHang:
		return true
	case evidence.EndRunaway:
		return !inProcess(r.Subject)
	default:
		return false
	}
}

func inProcess(s evidence.Subject) bool {
	return s.Kind == evidence.KindReference || s.Kind == evidence.KindInProcess
}

// blamedForEnd tells whether the bad end of a run is put down to this call: to those that had not ended or, where all
// had, to the last one.
func (c *Call) blamedForEnd() bool {
	open := func(o *Call) bool { return o.Ended == nil }
	if slices.ContainsFunc(c.Run.Calls, open) {
		return open(c)
	}
	return c.Number == c.Run.Calls[len(c.Run.Calls)-1].Number
}

// because adds what is known about an end, shortened: its first line and, where that ends in a colon, those that it speaks
// of.
func because(text string) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line == "" {
		return ""
	}
	if strings.HasSuffix(line, ":") {
		line += " " + strings.Join(strings.FieldsFunc(rest, func(r rune) bool { return r == '\n' }), "; ")
	}
	return ": " + clip(strings.TrimSpace(line), 400)
}

func subj02() Rule {
	return Rule{
		ID: "SUBJ-02", Level: Must, Sides: []Side{Client}, Section: "harness",
		Obligation: "not run away in a call, and leave nothing running when its calls have ended",
		Cause: "A loop without a pause or a bound makes requests by the thousand, or a goroutine, a timer or a body that was not closed " +
			"outlives the call.",
		Right: "When the call has returned, nothing of it is left.",
		Wrong: "A goroutine still waits for a connection that nobody will use.",
		Judge: func(c *Call, j *Judgement) {
			if !inProcess(c.Run.Subject) {
				return
			}
			end := c.Run.End
			switch bad := end.How == evidence.EndLeak || end.How == evidence.EndRunaway; {
			case bad && c.blamedForEnd():
				j.Fail("the run ended as "+string(end.How)+" in this call"+because(end.Text), "an end of everything that the call began")
			case end.How == evidence.EndSettled && c.Done():
				j.Pass()
			}
		},
	}
}

func subj03() Rule {
	return Rule{
		ID: "SUBJ-03", Level: Must, Sides: []Side{Client, Command}, Section: "harness",
		Obligation: "do what its capabilities claim, and give each outcome the form of the driver protocol",
		Cause: "A driver lists a capability and then answers unsupported, or leaves out what a result has to hold. Take the capability off the " +
			"list, or pass the member on to the client.",
		Right: "With timeout_pair among the capabilities a call with a pair ends with a result or an error.",
		Wrong: "timeout_pair is claimed, and a call with a pair is unsupported.",
		Judge: func(c *Call, j *Judgement) {
			if breaches := c.Run.Breaches; len(breaches) > 0 && c.Number == c.Run.Calls[len(c.Run.Calls)-1].Number {
				first := breaches[0]
				j.Fail("the driver broke its protocol: "+clip(first.Why, 200)+" ("+clip(first.Line, 200)+")", "one answer to each call, a JSON object on a line of its own")
				return
			}
			if c.Outcome == nil || c.Outcome.Kind == evidence.OutcomeCrash {
				return
			}
			if lack := formless(c.Outcome); lack != "" {
				j.Fail("an outcome of kind "+string(c.Outcome.Kind)+" without "+lack, "the outcome as the client gave it")
				return
			}
			needs, certain := c.capabilities()
			claimed := !slices.ContainsFunc(needs, func(n string) bool { return !slices.Contains(c.Run.Subject.Capabilities, n) })
			if !claimed || !certain {
				return
			}
			j.Hold(c.Outcome.Kind != evidence.OutcomeUnsupported,
				"the call is unsupported"+because(c.Outcome.Reason)+", and all that it needs is claimed: "+strings.Join(needs, ", "),
				"a result or an error")
		},
	}
}

// formless says what an outcome lacks, empty for nothing. What value a client took for a Message is its own doing, reported
// honestly: other rules compare it with the answer.
func formless(o *evidence.Outcome) string {
	value := func(raw []byte) bool {
		_, problems := evidence.ReadJSON(raw)
		_, broken := evidence.NotJSON(problems) // as nothing at all is; a key that stands there twice is the server's, passed on as it came
		return !broken
	}
	switch {
	case o.Kind == evidence.OutcomeMessage && !value(o.Message):
		return "a Message"
	case o.Kind == evidence.OutcomeTask && !value(o.Task):
		return "a Task"
	case o.Kind == evidence.OutcomeError && o.Error == nil:
		return "an error"
	default:
		return ""
	}
}

// capabilities lists what a subject has to be able to do for this call. It is not certain where the call was given
// values that a typed client cannot express at all, such as an infinite timeout.
func (c *Call) capabilities() (needs []string, certain bool) {
	certain = true
	add := func(needed bool, name string) {
		if needed {
			needs = append(needs, name)
		}
	}
	in := c.Input
	timeout, given := in.Timeout.Get()
	id, named := in.MessageID.Get()
	kind := c.Kind()
	add(c.Op == evidence.CallSend, "send")
	add(c.Op != evidence.CallSend, string(c.Op))
	add(c.Task(), "task_mode")
	add(named, "message_id")
	add(in.StrictDictionary.Or(false), "strict_dictionary")
	add(len(c.Files) > 0, "files")
	add(given && !timeout.Pair, "timeout_number")
	add(timeout.Pair, "timeout_pair")
	add(!given, "timeout_default")
	add(c.Cancelled != nil, "cancel")
	first := c.Run.Calls[0]
	add(first.User != c.User || first.Backend != c.Backend, "per_call_platform")
	attempts, counted := in.JSONRepairAttempts.Get()
	n, err := attempts.Int64()
	switch {
	case given && !timeout.Usable(), named && strings.TrimSpace(id) == "", counted && (err != nil || n < 1), kind != "message" && kind != "task":
		certain = false
	}
	return needs, certain
}
