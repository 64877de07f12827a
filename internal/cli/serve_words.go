package cli

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/scenarios"
)

// escaped writes a uid for a path.
func escaped(uid string) string { return url.PathEscape(uid) }

// stepWords say what a step of a scenario answers, how often, and on which condition.
func stepWords(step scenarios.Step) string {
	words := "once"
	switch {
	case step.For > 0:
		words = "for " + step.For.String()
	case step.Times == 0:
		words = "always"
	case step.Times > 1:
		words = fmt.Sprintf("%d times", step.Times)
	}
	parts := slices.Concat([]string{replyWords(step.Reply)}, editWords(step.Reply.With), wireWords(step), conditionWords(step.If))
	return fmt.Sprintf("%-8s %s", words, strings.Join(parts, ", "))
}

// replyWords say what a reply is.
func replyWords(r scenarios.Reply) string {
	switch {
	case r.Ready != nil:
		return readyWords(*r.Ready)
	case r.Wait != nil:
		words := "wait: " + r.Wait.State
		if pause, ok := r.Wait.RetryAfter.Get(); ok {
			words += fmt.Sprintf(", retry_after_ms %d", pause.Milliseconds())
		}
		return words
	case r.Stop != nil:
		return "stop: " + r.Stop.State
	case r.Message != nil:
		return messageWords(*r.Message)
	case r.Task != nil:
		return strings.TrimRight(fmt.Sprintf("a Task %s %s", r.Task.ID, r.Task.State), " ")
	case r.MessageLimit != nil:
		return "the 504 of the Message limit"
	case r.RPCError != nil:
		return strings.Join(strings.Fields(fmt.Sprintf("the error %d %s %s", r.RPCError.HTTP, r.RPCError.Status, r.RPCError.Reason)), " ")
	default:
		return plainWords(r)
	}
}

// plainWords say it of replies that belong to no server in particular.
func plainWords(r scenarios.Reply) string {
	switch {
	case r.Detail != nil:
		return strings.TrimSpace(fmt.Sprintf("%d %s", r.Detail.HTTP, short(r.Detail.Text)))
	case r.Redirect != nil:
		return fmt.Sprintf("%d to %s", r.Redirect.Status, r.Redirect.To)
	case r.Raw != nil:
		return fmt.Sprintf("%d with the body %q", r.Raw.Status, short(string(r.Raw.Body)))
	case r.Bytes != nil:
		return fmt.Sprintf("these bytes and no more: %q", short(*r.Bytes))
	default:
		return "as a well-behaved server does"
	}
}

func messageWords(m scenarios.Message) string {
	switch {
	case m.Parts != nil:
		return "a Message of the parts " + short(string(m.Parts))
	case m.Text != "":
		return fmt.Sprintf("a Message %q", short(m.Text))
	default:
		return "a Message"
	}
}

func readyWords(r scenarios.Ready) string {
	words := "ready"
	if r.Token != "" {
		words += ", the token " + r.Token
	}
	if r.Endpoint != "" && r.Endpoint != scenarios.EndpointRuntime {
		words += ", the rpc_url of " + r.Endpoint
	}
	if r.State != "" && r.State != "ready" {
		words += ", state " + r.State
	}
	if in, ok := r.ExpiresIn.Get(); ok {
		words += ", expires in " + in.String()
	}
	return words
}

// editWords name what is changed in a body.
func editWords(e *scenarios.Edit) []string {
	if e == nil {
		return nil
	}
	var words []string
	for _, pointer := range slices.Sorted(maps.Keys(e.Set)) {
		words = append(words, fmt.Sprintf("with %s set to %s", pointer, short(string(e.Set[pointer]))))
	}
	for _, pointer := range e.Remove {
		words = append(words, "without "+pointer)
	}
	return words
}

// wireWords say what happens to an answer on the way.
func wireWords(step scenarios.Step) []string {
	var words []string
	w := step.Wire
	if after := headAfter(step); after > 0 {
		words = append(words, "held back for "+after.String())
	}
	for _, part := range []struct {
		set  bool
		text string
	}{
		{w.Early, "before the request's body is read"}, {w.Upload != nil, "reading the request slowly or in part"},
		{w.Informational != nil, "1xx answers first"}, {w.Pace != nil, "sent in pieces"}, {w.Gzip, "in gzip"},
		{!w.ContentType.IsZero(), "with another Content-Type"}, {!w.ContentLength.IsZero(), "with another Content-Length"},
		{w.Cut != nil, cutWords(w.Cut)}, {w.Finish != "", "then the connection ends (" + w.Finish + ")"},
	} {
		if part.set {
			words = append(words, part.text)
		}
	}
	return words
}

// headAfter is how long the head of an answer is held back.
func headAfter(step scenarios.Step) time.Duration {
	after := step.Wire.HeadAfter
	if step.Reply.MessageLimit != nil {
		after = max(after, step.Reply.MessageLimit.After)
	}
	return after
}

func cutWords(c *scenarios.Cut) string {
	if c == nil {
		return ""
	}
	after := "the " + c.After
	if c.After == "" {
		after = fmt.Sprintf("%d bytes of body", c.Bytes)
	}
	if c.How == "hang" {
		return "silent after " + after
	}
	return fmt.Sprintf("cut after %s (%s)", after, c.How)
}

// heldBack says that an answer will take its time; empty for one that goes out at once.
func heldBack(step scenarios.Step) string {
	w := step.Wire
	var words []string
	if after := headAfter(step); after > 0 {
		words = append(words, "holds its answer back for "+after.String())
	}
	if w.Pace != nil {
		words = append(words, fmt.Sprintf("sends %d bytes every %s", w.Pace.Bytes, w.Pace.Every))
	}
	if w.Cut != nil && w.Cut.How == "hang" {
		words = append(words, "leaves the client waiting: Ctrl-C or the client ends it")
	}
	return strings.Join(words, ", and ")
}

// conditionWords say what a request has to be for a step to take it.
func conditionWords(c *scenarios.Condition) []string {
	if c == nil {
		return nil
	}
	var words []string
	for _, part := range []struct{ what, value string }{
		{"if its token is", c.Token}, {"if it is of the call", c.Call}, {"if it is of the client", c.Client}, {"if it is of the session", c.Session},
	} {
		if part.value != "" {
			words = append(words, part.what+" "+part.value)
		}
	}
	for _, header := range slices.Sorted(maps.Keys(c.Header)) {
		words = append(words, strings.TrimSuffix(fmt.Sprintf("if it has the header %s: %s", header, c.Header[header]), ": "))
	}
	if c.Body != nil {
		words = append(words, "if its body has "+short(string(c.Body)))
	}
	if c.After != nil {
		words = append(words, fmt.Sprintf("once %s#%d has been answered", c.After.Op, c.After.N))
	}
	return words
}

// short cuts a text to what fits into a row.
func short(text string) string {
	const most = 60
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + fmt.Sprintf("… (%d bytes)", len(text))
}
