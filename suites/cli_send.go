package suites

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func cli02() Rule {
	return Rule{
		ID: "CLI-02", Level: Must, Sides: []Side{Command}, Section: "CLI Contract",
		Obligation: "with --strict-dictionary send the strict shape",
		Cause:      "The option changes how the answer is printed and not what is asked for.",
		Right:      `The body asks for ["application/json"] and holds the output contract in its metadata.`,
		Wrong:      "The body is that of a plain send.",
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			if !c.byCommand() || !c.strict() {
				return
			}
			modes := x.Body().AcceptedOutputModes.Elements()
			json := len(modes) == 1 && modes[0].TextEquals("application/json")
			j.Hold(json && c.holdsContract(x.Body().OutputContract), c.at(x)+" has not the strict shape", "application/json alone, and the output contract in metadata", x)
		}),
	}
}

func cli04() Rule {
	return Rule{
		ID: "CLI-04", Level: Must, Sides: []Side{Command}, Section: "CLI Contract",
		Obligation: "need no earlier command: works in an empty home",
		Cause:      "The command reads a file that only login or resolve writes.",
		Right:      "The first command of a new home resolves, sends and prints the answer.",
		Wrong:      "The first command of a new home asks for a login, or for access to be resolved first.",
		Judge: func(c *Call, j *Judgement) {
			if !c.sendsByCommand() || !c.Message() || c.instanceCalls() > 0 || len(c.Home) > 0 {
				return
			}
			switch {
			case c.Returned() && c.ordinary() != nil:
				j.Pass()
			case c.Failed() && c.nothingAgainst():
				j.Fail("in an empty home, with everything answered well, "+c.Ending(), "the send and its answer", c.Exchanges...)
			}
		},
	}
}

func cli07() Rule {
	return Rule{
		ID: "CLI-07", Level: Must, Sides: []Side{Command}, Section: "CLI Contract", Forbids: true,
		Obligation: "not retry a direct Message by itself, the one resend after 401 or 403 aside",
		Cause:      "The command runs the client's call in a loop, or its HTTP library repeats what failed.",
		Right:      "The send times out, and the command ends.",
		Wrong:      "The send times out, and the command sends once more.",
		Judge: func(c *Call, j *Judgement) {
			if !c.byCommand() || !c.Message() || len(c.Sends) == 0 {
				return
			}
			for i, x := range c.Sends[1:] {
				prev := c.Sends[i]
				after := fmt.Sprintf("the command sent again %s after its %s send", inWords(x.Arrived.Sub(prev.Arrived)), ordinal(i+1))
				switch {
				case i > 0:
					j.Fail(after, "at most two sends", prev, x)
				case !prev.Rejected():
					j.Fail(after+", which "+prev.fate(), "a second send after 401 or 403 only", prev, x)
				}
			}
			if c.Done() {
				j.passUnlessAmbiguous(evidence.OpSendMessage)
			}
		},
	}
}

// fate says how a request was answered.
func (x *Exchange) fate() string {
	if status := x.Status(); status != 0 {
		return fmt.Sprintf("was answered %d", status)
	}
	return "got no answer"
}

func cli10() Rule {
	return Rule{
		ID: "CLI-10", Level: Must, Sides: []Side{Command}, Section: "Message limit",
		Obligation: "name --response-kind task when the limit was reached",
		Cause:      "The text of the client behind the command is printed as it is, and names an argument of a function.",
		Right:      "Standard error says that longer work uses --response-kind task.",
		Wrong:      `Standard error says that longer work uses response_kind="task".`,
		Judge: func(c *Call, j *Judgement) {
			x := c.reachedLimit()
			if x == nil || !c.sendsByCommand() || !c.Failed() {
				return
			}
			j.Hold(namesTaskOption(c.output()), "what is printed at the Message limit does not name --response-kind task: "+quoteLong(oneLine(evidence.Plain(c.withoutIDs(c.output())))),
				"--response-kind task", x)
		},
	}
}

// namesTaskOption tells whether a printed text names the option and its value.
func namesTaskOption(text string) bool {
	return taskOption.MatchString(oneLine(evidence.Plain(text)))
}

var taskOption = regexp.MustCompile("--response-kind[\"'`]?[ =]+[\"'`]?task\\b")

func cli12() Rule {
	return Rule{
		ID: "CLI-12", Level: Should, Sides: []Side{Command}, Section: "CLI Contract",
		Obligation: "end within --timeout (start-up aside)",
		Cause:      "The option is handed to each request, or not at all.",
		Right:      "With --timeout 2 and an answer that never comes the command ends 2s after its first request.",
		Wrong:      "With --timeout 2 the command goes on for as long as the answer drips.",
		Judge: func(c *Call, j *Judgement) {
			if c.Budget.Default || !c.Budget.Usable || c.Command == nil || !c.Done() || c.asksHelp() {
				return
			}
			first := c.firstOfTheBudget()
			if first == nil {
				return
			}
			limit := first.Arrived.Add(c.Budget.Total + c.slack())
			lasted := c.Ended.Sub(first.Arrived)
			if !c.leftAlone(min(*c.Ended, limit)) {
				return
			}
			j.HoldIf(c.Run.NotAfter(*c.Ended, limit), "the command was at it "+inWords(lasted)+" after the first request of its send, with a "+c.budgetWords(),
				"an end by "+inWords(c.Budget.Total))
		},
	}
}

// firstOfTheBudget is the first request that the budget covers, nil where there is none. Nobody sees when a command began
// to count: at the latest when that arrived. A question at its start who is signed in is none of the send.
func (c *Call) firstOfTheBudget() *Exchange {
	for _, x := range c.Exchanges {
		if x.Op != evidence.OpWhoAmI {
			return x
		}
	}
	return nil
}

// slack is how long a process takes to end beside its work: none on virtual time.
func (c *Call) slack() time.Duration {
	if c.exact() {
		return 0
	}
	return time.Second
}

func cli14() Rule {
	return Rule{
		ID: "CLI-14", Level: Should, Sides: []Side{Command}, Section: "CLI Contract",
		Obligation: "name no resolve, attach, prewarm, status or readiness command as a step to take before a send, in help of send or failure texts",
		Cause:      "Help and hints were written when a send had steps before it.",
		Right:      "Help says that the command resolves access itself.",
		Wrong:      `"Runtime not ready. Run 'agent session runtime status' first."`,
		Judge: func(c *Call, j *Judgement) {
			if c.Command == nil || !c.asksHelp() && !c.Failed() {
				return
			}
			if step := formerStep(c.output()); step != "" {
				j.Fail("what is printed names a step before a send: "+quoteLong(c.withoutIDs(step)), "no such step: the send does all of it")
				return
			}
			if strings.TrimSpace(c.output()) != "" {
				j.Pass()
			}
		},
	}
}

// formerStep finds a sentence that tells to take a step before a send: to run a command of that name, or to do so first. A
// sentence that says that there is none, or that it happens by itself, is no such sentence.
func formerStep(text string) string {
	text = newLine.ReplaceAllString(evidence.Plain(text), ". $1")
	for sentence := range strings.SplitSeq(oneLine(text), ". ") {
		if !denies.MatchString(sentence) && (namesStep.MatchString(sentence) || stepFirst.MatchString(sentence)) {
			return sentence
		}
	}
	return ""
}

const formerSteps = `(?:resolve|attach|pre-?warm|warm-?up|status|readiness)(?:-[a-z-]+)?`

// The words of a sentence that names a former step: as a command, or as what comes first; and those that take it back.
var (
	namesStep = regexp.MustCompile(`(?i)\b(?:run|use|call|execute|invoke|try|issue|see)\b[^.]{0,40}?` +
		`\b(?:agent|session|a2a|runtime)s?\b(?: [a-z0-9_-]+){0,3}? ` + formerSteps + `\b`)
	stepFirst = regexp.MustCompile(`(?i)(?:^|[:;,] ?|\b(?:please|must|should|need to|have to) )(?:first )?` +
		`(?:resolve|attach|pre-?warm|warm up|(?:check|query|ask for)[^.]{0,30}\b(?:status|readiness))\b[^.]{0,80}\b(?:first|before|prior to)\b`)
	denies = regexp.MustCompile(`(?i)\b(?:no|not|never|none|without|need not|automatic|automatically|itself|for you)\b|n't\b`)
	// newLine is a line that begins with a capital: it begins a sentence, whether or not the one before it had a full stop.
	newLine = regexp.MustCompile(`\n\s*([A-Z])`)
)
