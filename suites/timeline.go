package suites

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// timelineRows is how many exchanges a time-line shows before it leaves some out of its middle.
const timelineRows = 10

// timeline writes a call as a small sequence of exchanges in the order of time, counted from its start. The exchanges
// that a finding names are marked and never left out.
func timeline(c *Call, marked []int) string {
	rows := []timed{{0, row(" ", 0, "call: "+callWords(c))}}
	shown := c.shown(marked)
	left := 0
	for i, x := range shown {
		named := slices.Contains(marked, x.Seq)
		if i >= timelineRows/2 && i < len(shown)-timelineRows/2 && !named {
			left++
			continue
		}
		if left > 0 {
			rows = append(rows, timed{x.Arrived.Sub(c.Started), fmt.Sprintf("  %10s  %d more exchanges", "…", left)})
		}
		rows = append(rows, x.rows(c, named)...)
		left = 0
	}
	if c.Ended != nil {
		rows = append(rows, timed{c.Ended.Sub(c.Started), row(" ", c.Ended.Sub(c.Started), c.Ending()+c.errorText())})
	} else {
		rows = append(rows, timed{c.Until.Sub(c.Started), row(" ", c.Until.Sub(c.Started), "end of what was watched, the call had not ended")})
	}
	slices.SortStableFunc(rows, func(a, b timed) int { return cmp.Compare(a.at, b.at) })
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = r.text
	}
	return strings.Join(texts, "\n")
}

// timed is a row of a time-line and when it happened.
type timed struct {
	at   time.Duration
	text string
}

// errorText is what the client says of its error, shortened, without the ids that it made up: those differ from run to
// run. Of a command it is the end of its standard error.
func (c *Call) errorText() string {
	text := strings.Join(strings.Fields(c.said()), " ")
	if text == "" {
		return ""
	}
	for _, x := range c.Sends {
		if id, ok := x.Body().MessageID.Text(); ok && id != "" && id != c.Input.MessageID.Or("") {
			text = strings.ReplaceAll(text, id, "‹message id›")
		}
	}
	text = uuids.ReplaceAllStringFunc(text, func(id string) string {
		if id == c.Session || id == c.Input.MessageID.Or("") {
			return id
		}
		return "‹uuid›"
	})
	if c.Command != nil {
		return ", its last words: " + clipFront(text, 200)
	}
	return ": " + clip(text, 200)
}

// said is the text of the call's failure, empty where there is none.
func (c *Call) said() string {
	switch {
	case c.Err() != nil:
		return c.Err().Text
	case c.Failed() && c.Command != nil:
		return string(c.Command.Stderr)
	default:
		return ""
	}
}

var uuids = regexp.MustCompile(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)

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

// rows are the two rows of an exchange: what was asked, and what was answered.
func (x *Exchange) rows(c *Call, marked bool) []timed {
	mark, whose := " ", ""
	if marked {
		mark = ">"
	}
	if !slices.Contains(x.Calls, c.Number) {
		whose = "another call: "
	}
	at, answered := x.Arrived.Sub(c.Started), x.answeredAt(c)
	return []timed{
		{at, row(mark, at, whose+x.Request.Method+" "+x.place())},
		{answered, row(" ", answered, "  "+x.answerWords())},
	}
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

// answeredAt is when the last byte of the answer was written, or when it was known that none would be.
func (x *Exchange) answeredAt(c *Call) time.Duration {
	switch {
	case x.LastBy != nil:
		return x.LastBy.Sub(c.Started)
	case x.Ended != nil:
		return x.Ended.Sub(c.Started)
	default:
		return c.Until.Sub(c.Started)
	}
}

func (x *Exchange) answerWords() string {
	status := x.Status()
	switch {
	case status == 0 && x.EndedBy == evidence.EndedByClient:
		return "no answer yet when the client hung up" + x.beginningWords()
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

// beginningWords tells of the bytes that came of an answer without a whole head: the client may have ended for them.
func (x *Exchange) beginningWords() string {
	switch {
	case x.Response == nil || x.Response.Sent == 0:
		return ""
	case x.informed():
		return fmt.Sprintf(" (%d bytes of 1xx answers were sent)", x.Response.Sent)
	default:
		return fmt.Sprintf(" (%d bytes of its head were sent)", x.Response.Sent)
	}
}

func callWords(c *Call) string {
	words := string(c.Op)
	if text, ok := c.Input.Message.Get(); ok {
		words += " " + quote(text)
	}
	if id, ok := c.Input.TaskID.Get(); ok {
		words += ", Task " + quote(id)
	}
	if t, ok := c.Input.PollInterval.Get(); ok {
		words += ", every " + timeoutWords(t)
	}
	if t, ok := c.Input.WaitTimeout.Get(); ok {
		words += ", for " + timeoutWords(t)
	}
	if id, ok := c.Input.MessageID.Get(); ok {
		words += ", message id " + quote(id)
	}
	if c.Input.StrictDictionary.Or(false) {
		words += ", strict dictionary"
	}
	if n, ok := c.Input.JSONRepairAttempts.Get(); ok {
		words += ", " + string(n) + " repair attempts"
	}
	if c.Kind() != "message" {
		words += ", response kind " + quote(c.Kind())
	}
	if strings.IndexFunc(c.Session, func(r rune) bool { return !plainUID(r) }) >= 0 {
		words += ", session " + quote(c.Session)
	}
	if t, ok := c.Input.Timeout.Get(); ok {
		words += ", timeout " + timeoutWords(t)
	}
	if len(c.Files) > 0 {
		words += fmt.Sprintf(", %d files", len(c.Files))
	}
	return words
}

// plainUID tells whether a character is one that uids have; sessions of others are shown.
func plainUID(r rune) bool {
	return r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'f'
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

// clipFront shortens a text to its last n runes.
func clipFront(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return "…" + string(runes[len(runes)-n:])
}

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
