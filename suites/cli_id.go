package suites

import (
	"slices"
	"strings"
	"unicode"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func cli03() Rule {
	return Rule{
		ID: "CLI-03", Level: Must, Sides: []Side{Command}, Section: "CLI Contract",
		Obligation: "with --message-id send that id",
		Cause:      "The option is read and a fresh id is made all the same, or the option has another name.",
		Right:      `With --message-id msg-client-uuid-1 the body has "messageId": "msg-client-uuid-1".`,
		Wrong:      "The body has an id that the caller never gave.",
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			if id, given := c.givenID(); given && c.byCommand() {
				j.Hold(x.Body().MessageID.TextEquals(id), c.at(x)+" has another messageId than --message-id gave", "message.messageId is "+quote(id), x)
			}
		}),
	}
}

func cli05() Rule {
	return Rule{
		ID: "CLI-05", Level: Must, Sides: []Side{Command}, Section: "CLI Contract",
		Obligation: "print the message id that it generated whenever a send fails after its first resolve arrived: blocked, not ready, timeout, limit, rejected twice, server error, reset, invalid answer, SIGINT",
		Cause:      "The id is made deep inside of the client and is lost with the error, or only some errors are printed with it.",
		Right:      "The send times out, and standard error ends in the message id that went over the wire.",
		Wrong:      "The send times out, and nobody can tell which id it had.",
		Judge: func(c *Call, j *Judgement) {
			if !c.mustPrintID() {
				return
			}
			output := c.output()
			if id := c.generatedID(); id != "" {
				judgeIDPrinted(c, j, prints(output, id))
				return
			}
			switch named := evidence.PrintedIDs(output); {
			case len(named) == 1:
				j.Pass()
			case strings.TrimSpace(output) == "", len(named) == 0 && c.namesIDsElsewhere():
				judgeIDPrinted(c, j, false)
			default:
				j.Unclear("nothing was sent, and which of the printed words is the message id cannot be told: "+quoteLong(oneLine(evidence.Plain(c.withoutIDs(output)))), c.Resolves...)
			}
		},
	}
}

// namesIDsElsewhere tells whether an earlier start of the same command named the id that it had sent with the words "message
// id", and this one printed no word of the same form as that id: then it named none in other words either.
func (c *Call) namesIDsElsewhere() bool {
	return slices.ContainsFunc(c.Run.Calls, func(o *Call) bool {
		return o.Number < c.Number && o.Command != nil && slices.Contains(o.Command.PrintedIDs(), o.generatedID()) && !c.printsLike(o.generatedID())
	})
}

// printsLike tells whether the command printed a word of the form of an id: letters and digits where that has some. The
// session, which has the form of many ids, is none.
func (c *Call) printsLike(id string) bool {
	form := func(word string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return 'x'
			}
			return r
		}, word)
	}
	words := strings.FieldsFunc(evidence.Plain(c.output()), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	})
	return slices.ContainsFunc(words, func(word string) bool {
		return !strings.EqualFold(word, c.Session) && form(strings.TrimRight(word, ".-")) == form(id)
	})
}

// mustPrintID tells whether the call is a send with an id of the command's own making that failed after its first resolve
// had arrived. A killed process prints nothing.
func (c *Call) mustPrintID() bool {
	if _, given := c.givenID(); given || !c.sendsByCommand() || !c.Failed() || len(c.Resolves) == 0 {
		return false
	}
	return !strings.HasSuffix(strings.ToUpper(c.Command.Signal), "KILL")
}

// judgeIDPrinted fails for an id that was not printed. The contract speaks of no signal: for an end by SIGTERM, which by
// default leaves a process no time, it is less than a breach.
func judgeIDPrinted(c *Call, j *Judgement, printed bool) {
	switch {
	case printed:
		j.Pass()
	case c.Signal != nil && c.Signal.Name != "INT":
		j.Warn("the send was ended by a signal and the message id was not printed: "+c.Ending(), "the message id, so that the send can be repeated with it", c.Sends...)
	default:
		j.Fail("the send failed and the message id was not printed: "+c.Ending(), "the message id, so that the send can be repeated with it", c.Sends...)
	}
}

// generatedID is the message id that the call sent, empty where it sent none.
func (c *Call) generatedID() string {
	for _, x := range c.Sends {
		if id, ok := x.Body().MessageID.Text(); ok && strings.TrimSpace(id) != "" {
			return id
		}
	}
	return ""
}

// withoutIDs takes ids that the subject made up out of a text: they differ from run to run.
func (c *Call) withoutIDs(text string) string {
	for _, id := range evidence.PrintedIDs(text) {
		text = strings.ReplaceAll(text, id, "‹message id›")
	}
	return uuids.ReplaceAllString(text, "‹uuid›")
}

func cli06() Rule {
	return Rule{
		ID: "CLI-06", Level: Must, Sides: []Side{Command}, Section: "CLI Contract",
		Obligation: "print the id that went over the wire",
		Cause:      "The id that is printed is made for the message on the screen, or is that of a first try.",
		Right:      "The id on standard error is that of the body.",
		Wrong:      "Standard error names an id that no request had.",
		Judge: func(c *Call, j *Judgement) {
			id := c.generatedID()
			if !c.mustPrintID() || id == "" {
				return
			}
			switch {
			case prints(c.output(), id):
				j.Pass()
			case len(c.Command.PrintedIDs()) > 0:
				j.Fail("the command named a message id that it did not send", "the messageId of the body", c.Sends...)
			}
		},
	}
}

func cli11() Rule {
	return Rule{
		ID: "CLI-11", Level: Must, Sides: []Side{Command}, Section: "CLI Contract",
		Obligation: "send an equal JSON body, same messageId, when run again with the printed id",
		Cause:      "The time of day, a counter or the number of the try is part of the body.",
		Right:      "Run again with --message-id and the printed id, the command sends the body that it sent before.",
		Wrong:      "The second body has another messageId, or metadata that tells the tries apart.",
		Judge: func(c *Call, j *Judgement) {
			id, given := c.givenID()
			if !given || len(c.Sends) == 0 {
				return
			}
			for _, first := range c.Run.Calls {
				if _, own := first.givenID(); own || first.Number >= c.Number || !sameInput(first, c) || first.Command == nil {
					continue
				}
				switch {
				case first.generatedID() == id:
					judgeSameBody(j, first.Sends[0], c.Sends[0], "the body is another than that of the send that is repeated")
				case len(first.Sends) == 0 && slices.Contains(first.Command.PrintedIDs(), id):
					j.Hold(c.Sends[0].Body().MessageID.TextEquals(id), "the body has another messageId than the one that was printed", "message.messageId is the printed id", c.Sends[0])
				}
			}
		},
	}
}
