package suites

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func cli01() Rule {
	return Rule{
		ID: "CLI-01", Level: Must, Sides: []Side{Command}, Section: "CLI Contract",
		Obligation: "answer agent session a2a send UID --message TEXT: exit 0, the answer on standard output",
		Cause:      "The command has another name or another option, or the answer goes to a log or to standard error.",
		Right:      "The Agent's text stands on standard output, and the command ends with exit status 0.",
		Wrong:      "The command ends with exit status 0 and prints the answer on standard error.",
		Judge: func(c *Call, j *Judgement) {
			x := c.ordinary()
			if !c.sendsByCommand() || x == nil || !isSound(x) || len(x.Answer().Faults(c.Session)) > 0 || hugeNumber(x.Answer().Message) != "" {
				return
			}
			if !c.Returned() {
				j.Fail("the send was answered with a Message, and "+c.Ending(), "exit status 0", x)
				return
			}
			judgeShown(c, x, j)
		},
	}
}

// judgeShown looks for the texts of an answer on standard output. Words may be rendered there, so of other texts it is not
// certain that they are not.
func judgeShown(c *Call, x *Exchange, j *Judgement) {
	stdout := string(c.Command.Stdout)
	for _, text := range textParts(x.Answer().Message) {
		switch {
		case prints(stdout, text):
		case strings.TrimSpace(stdout) == "" || isWords(text):
			where := "the answer's text " + quote(text) + " is not on standard output"
			if prints(string(c.Command.Stderr), text) {
				where += " but on standard error"
			}
			j.Fail(where, "the answer on standard output", x)
		default:
			j.Unclear("the answer's text "+quote(text)+" was not found on standard output, where it may be rendered", x)
		}
	}
	j.Hold(strings.TrimSpace(stdout) != "", "nothing is on standard output", "the answer on standard output", x)
}

// isWords tells whether a text is of plain words, which no rendering changes.
func isWords(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" .,!?\n", r)
		return !plain
	})
}

func cli08() Rule {
	return Rule{
		ID: "CLI-08", Level: Must, Sides: []Side{Command}, Section: "contract",
		Obligation: "exit non-zero when the send fails",
		Cause:      "The error is printed and the command returns as usual.",
		Right:      "After a 409 the command prints the error and ends with exit status 1.",
		Wrong:      "After a 409 the command prints the error and ends with exit status 0.",
		Judge: func(c *Call, j *Judgement) {
			if !c.sendsByCommand() || len(c.Maybe) > 0 || c.OffScript != nil {
				return
			}
			if why := c.sendFailed(); why != "" {
				j.Hold(c.Failed(), why+", and "+c.Ending(), "another exit status than 0", c.Sends...)
			}
		},
	}
}

// sendFailed says why a send cannot have succeeded, empty where it may have.
func (c *Call) sendFailed() string {
	if len(c.Sends) == 0 {
		return "no message was sent"
	}
	x := c.Sends[len(c.Sends)-1]
	switch status := x.Status(); {
	case status == 0 || !x.Whole():
		return "the send got no whole answer"
	case status >= http.StatusMultipleChoices:
		return "the send was answered " + strconv.Itoa(status)
	case c.Message() && c.mustReject(x):
		return "the answer had to be rejected"
	default:
		return ""
	}
}

func cli13() Rule {
	return Rule{
		ID: "CLI-13", Level: Should, Sides: []Side{Command}, Section: "CLI Contract",
		Obligation: "keep standard output for the answer: errors go to standard error",
		Cause:      "Errors are printed with the function that prints answers.",
		Right:      "A send that fails leaves standard output empty and explains itself on standard error.",
		Wrong:      "A script that reads standard output takes the error for the answer.",
		Judge: func(c *Call, j *Judgement) {
			if !c.sendsByCommand() || !c.Failed() || c.Command.Signal != "" {
				return
			}
			stdout, stderr := strings.TrimSpace(string(c.Command.Stdout)), strings.TrimSpace(string(c.Command.Stderr))
			switch {
			case stdout != "":
				j.Fail("the send failed, and standard output has text", "errors on standard error, and nothing on standard output")
			case stderr == "":
				j.Fail("the send failed, and standard error is empty", "the error on standard error")
			default:
				j.Pass()
			}
		},
	}
}

func cli15() Rule {
	return Rule{
		ID: "CLI-15", Level: Should, Sides: []Side{Command}, Section: "Request Shape",
		Obligation: "print the whole answer: data and file parts, metadata and unknown members, not the first text alone",
		Cause:      "The command prints the text of the first part, and what else the answer holds is lost to its user.",
		Right:      "The whole Message is printed as JSON.",
		Wrong:      "An answer of a text and a data part is printed as the text alone.",
		Judge: func(c *Call, j *Judgement) {
			x := c.ordinary()
			if !c.sendsByCommand() || x == nil || !c.Returned() || !isSound(x) || len(x.Answer().Faults(c.Session)) > 0 || hugeNumber(x.Answer().Message) != "" {
				return
			}
			pieces, shown := piecesOf(x.Answer().Message), leavesOf(printedMessage(c.Command.Stdout))
			for _, p := range pieces {
				if !p.printed(string(c.Command.Stdout), shown) {
					j.Fail("of the answer "+p.name+" was not printed", "the whole answer on standard output", x)
					return
				}
			}
			if len(pieces) > 0 {
				j.Pass()
			}
		},
	}
}

// piece is something of a Message beside its texts.
type piece struct {
	name   string
	leaves []string
}

// piecesOf lists what a Message holds beside its envelope and its first text: further parts, metadata, unknown members.
func piecesOf(message *evidence.Value) []piece {
	var out []piece
	texts := 0
	for i, part := range message.Member("parts").Elements() {
		if text, ok := part.Member("text").Text(); ok {
			texts++
			if texts > 1 && isWords(text) {
				out = append(out, piece{ordinal(texts) + " text part", []string{text}})
			}
			continue
		}
		out = append(out, piece{"part " + strconv.Itoa(i+1), leavesOf(part)})
	}
	for _, m := range message.Members() {
		if !slices.Contains([]string{"messageId", "role", "contextId", "parts", "taskId"}, m.Name) {
			out = append(out, piece{"the member " + m.Name, leavesOf(m.Value)})
		}
	}
	return slices.DeleteFunc(out, func(p piece) bool { return len(p.leaves) == 0 })
}

// leavesOf lists the texts and numbers within a value that are long enough to be known again.
func leavesOf(v *evidence.Value) []string {
	const least = 3
	var out []string
	switch v.Kind() {
	case evidence.KindString:
		text, _ := v.Text()
		out = append(out, text)
	case evidence.KindNumber:
		out = append(out, string(v.Raw()))
	case evidence.KindArray:
		for _, e := range v.Elements() {
			out = append(out, leavesOf(e)...)
		}
	case evidence.KindObject:
		for _, m := range v.Members() {
			out = append(out, leavesOf(m.Value)...)
		}
	default:
	}
	return slices.DeleteFunc(out, func(leaf string) bool { return len(leaf) < least })
}

// printed tells whether some of the piece was printed, in the Message that was printed as JSON, whose leaves shown are, or
// in another form: which one is the command's own choice.
func (p piece) printed(stdout string, shown []string) bool {
	return slices.ContainsFunc(p.leaves, func(leaf string) bool { return slices.Contains(shown, leaf) || prints(stdout, leaf) })
}
