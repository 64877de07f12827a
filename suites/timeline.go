package suites

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// timelineRows is how many exchanges a time-line shows before it leaves some out of its middle.
const timelineRows = 10

// timeline writes a call as a small sequence of exchanges, times counted from its start. The exchanges that a finding
// names are marked and never left out.
func timeline(c *Call, marked []int) string {
	rows := []string{row(" ", 0, "call: "+callWords(c))}
	shown := c.shown(marked)
	left := 0
	for i, x := range shown {
		named := slices.Contains(marked, x.Seq)
		if i >= timelineRows/2 && i < len(shown)-timelineRows/2 && !named {
			left++
			continue
		}
		rows = append(append(rows, leftOut(left)...), x.rows(c, named)...)
		left = 0
	}
	if c.Ended != nil {
		rows = append(rows, row(" ", c.Ended.Sub(c.Started), c.Ending()))
	} else {
		rows = append(rows, row(" ", c.Until.Sub(c.Started), "end of what was watched, the call had not ended"))
	}
	return strings.Join(rows, "\n")
}

// shown returns the exchanges of the call and those of other calls that a finding names, in the order of arrival.
func (c *Call) shown(marked []int) []*Exchange {
	shown := slices.Clone(c.Exchanges)
	for _, x := range c.Run.All {
		if slices.Contains(marked, x.Seq) && !slices.ContainsFunc(shown, func(o *Exchange) bool { return o.Seq == x.Seq }) {
			shown = append(shown, x)
		}
	}
	slices.SortFunc(shown, func(a, b *Exchange) int { return a.Seq - b.Seq })
	return shown
}

// leftOut is the row that stands for exchanges that are not shown.
func leftOut(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("  %10s  %d more exchanges", "…", n)}
}

// rows are the two rows of an exchange: what was asked, and what was answered.
func (x *Exchange) rows(c *Call, marked bool) []string {
	mark := " "
	if marked {
		mark = ">"
	}
	return []string{row(mark, x.Arrived.Sub(c.Started), x.Request.Method+" "+x.place()), x.answerRow(c)}
}

func row(mark string, at time.Duration, text string) string {
	return fmt.Sprintf("%s %10s  %s", mark, stamp(at), text)
}

// stamp writes a time of a time-line in seconds, to the microsecond.
func stamp(d time.Duration) string { return fmt.Sprintf("%.6fs", d.Seconds()) }

// place is where a request went: its target below the name of the server.
func (x *Exchange) place() string {
	target := x.Request.Target
	if len(target) > 90 {
		target = target[:60] + "…" + target[len(target)-28:]
	}
	return target + " (" + x.Endpoint + ")"
}

// answerRow is the row that says what was answered.
func (x *Exchange) answerRow(c *Call) string {
	at := c.Until
	if x.LastBy != nil {
		at = *x.LastBy
	} else if x.Ended != nil {
		at = *x.Ended
	}
	return row(" ", at.Sub(c.Started), "  "+x.answerWords())
}

func (x *Exchange) answerWords() string {
	status := x.Status()
	switch {
	case status == 0 && x.EndedBy == evidence.EndedByClient:
		return "no answer yet when the client hung up"
	case status == 0:
		return "no answer"
	}
	words := fmt.Sprintf("%d %s", status, http.StatusText(status))
	if detail := x.bodyWords(); detail != "" {
		words += ": " + detail
	}
	if !x.Whole() {
		words += fmt.Sprintf(" (not whole: %d bytes were sent, ended by %s)", x.Response.Sent, x.EndedBy)
	}
	if x.offScript() {
		words += " (no step of the scenario foresaw this request)"
	}
	return words
}

func callWords(c *Call) string {
	words := string(c.Op)
	if text, ok := c.Input.Message.Get(); ok {
		words += " " + quote(text)
	}
	if c.Kind() != "message" {
		words += ", response kind " + quote(c.Kind())
	}
	if t, ok := c.Input.Timeout.Get(); ok {
		words += ", timeout " + timeoutWords(t)
	}
	if len(c.Files) > 0 {
		words += fmt.Sprintf(", %d files", len(c.Files))
	}
	return words
}

func timeoutWords(t evidence.Timeout) string {
	if t.Pair {
		return fmt.Sprintf("(%gs, %gs)", t.Connect, t.Read)
	}
	return fmt.Sprintf("%gs", t.Total)
}

func errorWords(e *evidence.Error) string {
	words := string(e.Category)
	if words == "" {
		words = "an error"
	}
	if e.Name != "" {
		words += " (" + e.Name + ")"
	}
	return words
}

func exitWords(c *evidence.Command) string {
	if c == nil {
		return "the command ended"
	}
	if c.Signal != "" {
		return "the command was ended by " + c.Signal
	}
	return fmt.Sprintf("the command ended with exit status %d", c.Exit)
}

// quote writes a text in quotes, a long one shortened.
func quote(s string) string { return fmt.Sprintf("%q", clip(s, 48)) }

// clip shortens a text to n runes, with its length.
func clip(s string, n int) string {
	runes := 0
	for i := range s {
		if runes == n {
			return s[:i] + fmt.Sprintf("… (%d bytes)", len(s))
		}
		runes++
	}
	return s
}
