package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// controlOf tells whether the plain success case succeeded: the subject asked for access, sent its message and
// returned the answer. Where it did not, nothing else can be judged, and the text says what arrived instead.
func controlOf(o outcome) evidence.Control {
	run := o.run
	if len(run.Calls) == 1 && run.Calls[0].Outcome != nil {
		kind := run.Calls[0].Outcome.Kind
		printed := kind == evidence.OutcomePrinted && run.Calls[0].Command != nil && run.Calls[0].Command.Exit == 0
		if (kind == evidence.OutcomeMessage || printed) && reached(run, evidence.OpSendMessage) {
			return evidence.Control{Held: true}
		}
	}
	said := []string{controlText(run)}
	for _, f := range o.faults {
		said = append(said, f.Text)
	}
	return evidence.Control{Text: strings.Join(said, "; ")}
}

func reached(run evidence.Run, op evidence.Op) bool {
	return slices.ContainsFunc(run.Exchanges, func(x evidence.Exchange) bool { return x.Op == op && x.Scripted })
}

func controlText(run evidence.Run) string {
	var origins []string
	for _, e := range run.Endpoints {
		origins = append(origins, fmt.Sprintf("%s at %s", e.Name, e.Origin))
	}
	arrived := "nothing arrived"
	if len(run.Exchanges) > 0 {
		var lines []string
		for _, x := range run.Exchanges {
			lines = append(lines, fmt.Sprintf("%s %s at %s", x.Request.Method, x.Request.Target, x.Endpoint))
		}
		arrived = "what arrived: " + strings.Join(lines, "; ")
	}
	return fmt.Sprintf("expected one resolve and one message:send (%s); %s; %s",
		strings.Join(origins, ", "), arrived, endingText(run))
}

func endingText(run evidence.Run) string {
	switch {
	case run.End.How != evidence.EndSettled:
		return fmt.Sprintf("the run ended in a %s: %s", run.End.How, run.End.Text)
	case len(run.Calls) == 0 || run.Calls[0].Outcome == nil:
		return "the call did not end"
	case run.Calls[0].Command != nil:
		return printedText(run.Calls[0].Command, run.Calls[0].Outcome.Reason)
	case run.Calls[0].Outcome.Error != nil:
		return "the call ended with: " + run.Calls[0].Outcome.Error.Text
	default:
		return "the call ended as " + string(run.Calls[0].Outcome.Kind) + " " + run.Calls[0].Outcome.Reason
	}
}

// unfit says why a subject cannot be asked to run a case; empty where it can.
func unfit(c scenarios.Case, s evidence.Subject) string {
	var missing []string
	for _, need := range c.Needs {
		if !slices.Contains(s.Capabilities, need) {
			missing = append(missing, need)
		}
	}
	if len(missing) > 0 {
		return "needs " + strings.Join(missing, ", ") + ", which the subject does not claim"
	}
	if s.Command {
		return inexpressible(c)
	}
	return ""
}
