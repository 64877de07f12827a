package cli

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

//go:embed probes
var probeFiles embed.FS

// probe is a try of one thing that a driver claims: a scenario, and what shows that it was done.
type probe struct {
	about    string
	scenario scenarios.Case
	// lack says what shows that a call was answered and what was asked for not done, with what to do; empty where it was
	// done.
	lack func(r *evidence.Run) string
}

// probes are all of them, in the order in which they are shown.
func probes() ([]probe, error) {
	all := []probe{
		{about: "send", lack: sentPlainly},
		{about: "message_id", lack: inTheBody("message_id", func(s evidence.SendRequest) bool { return s.MessageID.TextEquals("msg-of-the-caller") })},
		{about: "strict_dictionary", lack: inTheBody("strict_dictionary", func(s evidence.SendRequest) bool { return s.OutputContract.Kind() == evidence.KindObject })},
		{about: "timeout_number", lack: heedsTimeout},
		{about: "timeout_pair", lack: heedsTimeout},
		{about: "timeout_default", lack: comesTo(evidence.OutcomeMessage)},
		{about: "files", lack: inTheBody("files", func(s evidence.SendRequest) bool { return len(s.Parts) == 3 })},
		{about: "task_mode", lack: comesTo(evidence.OutcomeTask)},
		{about: "get_task", lack: comesTo(evidence.OutcomeTask)},
		{about: "cancel_task", lack: comesTo(evidence.OutcomeTask)},
		{about: "wait_task", lack: comesTo(evidence.OutcomeTask)},
		{about: "typed_errors", lack: typesErrors},
		{about: "cancel", lack: givesUp},
		{about: "per_call_platform", lack: goesElsewhere},
		{about: "calls at once", lack: atOnce},
	}
	for i := range all {
		file := strings.NewReplacer("_", "-", "calls at once", "at-once").Replace(all[i].about) + ".yaml"
		text, err := probeFiles.ReadFile("probes/" + file)
		if err != nil {
			return nil, fmt.Errorf("read a probe: %w", err)
		}
		read, err := scenarios.Parse(file, text)
		if err != nil {
			return nil, fmt.Errorf("read a probe: %w", err)
		}
		all[i].scenario = read.Cases(evidence.ClockReal)[0]
	}
	return all, nil
}

func casesOf(all []probe) []scenarios.Case {
	var cases []scenarios.Case
	for _, p := range all {
		cases = append(cases, p.scenario)
	}
	return cases
}

// found is what the probes came to.
func found(all []probe, rec runner.Recording) []finding {
	runs := slices.Clone(rec.Runs)
	for i := range runs {
		runs[i].Breaches = nil // which are told of here
	}
	checks := suites.Judge(runs, suites.ScopeOf(rec.Session))
	var list []finding
	for _, p := range all {
		at := slices.IndexFunc(rec.Runs, func(r evidence.Run) bool { return r.ID == p.scenario.ID })
		if at < 0 {
			list = append(list, p.untried(rec))
			continue
		}
		list = append(list, p.came(&rec.Runs[at], checks))
	}
	return append(list, listed("answers", breaches(rec.Runs))...)
}

// untried says why there is no run of a probe.
func (p probe) untried(rec runner.Recording) finding {
	for _, s := range rec.Session.Skipped {
		switch {
		case s.Scenario != p.scenario.ID:
		case strings.HasSuffix(s.Reason, "does not claim"):
			return finding{unclaimed, p.about, "not claimed"}
		default:
			return finding{unclaimed, p.about, s.Reason}
		}
	}
	return finding{broke, p.about, "not tried: " + rec.Incomplete}
}

// came is what a probe came to.
func (p probe) came(r *evidence.Run, checks []suites.Check) finding {
	const give = "; give the outcome as the client gave it to its caller"
	broken := slices.IndexFunc(r.Breaches, ofAnAnswer)
	for _, c := range r.Calls {
		switch {
		case c.Outcome == nil:
			return finding{broke, p.about, "a call has not ended; answer each call once, with its own id"}
		case c.Outcome.Kind == evidence.OutcomeCrash && c.Outcome.Reason == notTried:
			return finding{broke, p.about, notTried}
		case c.Outcome.Kind == evidence.OutcomeCrash:
			return finding{broke, p.about, c.Outcome.Reason + "; answer each call once, with its own id, whatever the client does"}
		case broken >= 0:
			return finding{broke, p.about, r.Breaches[broken].Why + give}
		case c.Outcome.Kind == evidence.OutcomeUnsupported:
			return finding{refused, p.about, fmt.Sprintf("it is claimed, and a call with it is unsupported: %s; pass it on to the client, or take it off the list", shortened(c.Outcome.Reason))}
		}
	}
	for _, c := range checks {
		if c.Run == r.ID && c.Rule == "SUBJ-03" && c.Status == suites.Failed {
			return finding{broke, p.about, c.Reason + give}
		}
	}
	if lack := p.lack(r); lack != "" {
		return finding{broke, p.about, lack}
	}
	return finding{works, p.about, ""}
}

// ofAnAnswer tells a breach in an answer from a line that is no object, which is told of as standard output.
func ofAnAnswer(b evidence.Breach) bool { return strings.HasPrefix(b.Line, "{") }

// breaches are the answers that are none, each kind once.
func breaches(runs []evidence.Run) []finding {
	var wrong []finding
	seen := map[string]bool{}
	for i := range runs {
		for _, b := range runs[i].Breaches {
			if !ofAnAnswer(b) || seen[b.Why] {
				continue
			}
			seen[b.Why] = true
			wrong = append(wrong, finding{broke, "answers", fmt.Sprintf("%s, in %s; answer each call once, by a result or unsupported with its id", b.Why, shortened(b.Line))})
		}
	}
	return wrong
}

// sent is the first request to send a message; nil where none came.
func sent(r *evidence.Run) *evidence.Exchange {
	for i := range r.Exchanges {
		if r.Exchanges[i].Op == evidence.OpSendMessage {
			return &r.Exchanges[i]
		}
	}
	return nil
}

// endingOf says how a call ended.
func endingOf(c evidence.Call) string {
	o := c.Outcome
	if o.Error != nil {
		return fmt.Sprintf("the call came to the error %s %s", o.Error.Name, shortened(o.Error.Text))
	}
	return "the call came to a " + string(o.Kind)
}

func comesTo(want evidence.OutcomeKind) func(*evidence.Run) string {
	return func(r *evidence.Run) string {
		other := slices.IndexFunc(r.Calls, func(c evidence.Call) bool { return c.Outcome.Kind != want })
		switch {
		case other < 0:
			return ""
		case len(r.Exchanges) == 0:
			return fmt.Sprintf("no request came to the platform, and %s; unless the client refused the call, make it use the platform's url and tokens of hello, or of the variables A2A_CONFORM_…", endingOf(r.Calls[other]))
		default:
			return fmt.Sprintf("%s, and the servers gave what makes a %s; pass on what the client returned", endingOf(r.Calls[other]), want)
		}
	}
}

// answerHeld is how long the answer to the plain send is held back, shortened by what clocks round.
const answerHeld = 350 * time.Millisecond

func sentPlainly(r *evidence.Run) string {
	if lack := comesTo(evidence.OutcomeMessage)(r); lack != "" {
		return lack
	}
	if e := r.Calls[0].Elapsed; e != nil && time.Duration(*e) < answerHeld {
		return fmt.Sprintf("elapsed is %s s, and the answer alone took 0.4 s; measure directly around the client's call, in seconds", inSeconds(time.Duration(*e)))
	}
	return ""
}

// inTheBody looks for a member of the call in the request.
func inTheBody(member string, has func(evidence.SendRequest) bool) func(*evidence.Run) string {
	return func(r *evidence.Run) string {
		if lack := comesTo(evidence.OutcomeMessage)(r); lack != "" {
			return lack
		}
		if x := sent(r); x == nil || !has(evidence.ReadSend(x)) {
			return member + " is not in the request; a member that the client cannot express makes a call unsupported, and is never dropped"
		}
		return ""
	}
}

func heedsTimeout(r *evidence.Run) string {
	if r.Calls[0].Outcome.Kind != evidence.OutcomeError {
		return endingOf(r.Calls[0]) + ", and the runtime never answered; pass on what the client returned"
	}
	if sent(r) == nil {
		return endingOf(r.Calls[0]) + " before it sent anything; pass the timeout on as the client takes it"
	}
	return ""
}

func typesErrors(r *evidence.Run) string {
	o := r.Calls[0].Outcome
	if o.Kind == evidence.OutcomeError && o.Error.Category == evidence.Rejected {
		return ""
	}
	if o.Kind == evidence.OutcomeError {
		return fmt.Sprintf("the runtime answered 400, and the error %s has the category %q, want %q; map the client's errors by class and status, or do not claim it", o.Error.Name, o.Error.Category, evidence.Rejected)
	}
	return endingOf(r.Calls[0]) + ", and the runtime answered 400; pass on the error that the client gave"
}

func givesUp(r *evidence.Run) string {
	const soon = 5 * time.Second
	c := r.Calls[0]
	if c.Cancelled == nil || c.Ended == nil {
		return endingOf(r.Calls[0]) + " before it could be given up"
	}
	if after := time.Duration(*c.Ended - *c.Cancelled); after > soon {
		return fmt.Sprintf("the result came %s s after cancel; read standard input also while calls run, and let the client's caller give up", inSeconds(after))
	}
	return ""
}

func goesElsewhere(r *evidence.Run) string {
	if lack := comesTo(evidence.OutcomeMessage)(r); lack != "" {
		return lack
	}
	if !slices.ContainsFunc(r.Exchanges, func(x evidence.Exchange) bool { return x.Endpoint == "mirror" }) {
		return "the call with a platform of its own did not go there; use the url and tokens of that call, or answer unsupported"
	}
	return ""
}

func atOnce(r *evidence.Run) string {
	if lack := comesTo(evidence.OutcomeMessage)(r); lack != "" {
		return lack
	}
	first, second := r.Calls[0], r.Calls[1]
	if first.Ended == nil || second.Ended == nil || *second.Ended < *first.Ended {
		return ""
	}
	return "the second call was answered after the first, which took longer; read standard input also while calls run, make calls side by side, and flush after each line"
}
