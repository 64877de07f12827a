package runner

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// inexpressible says why a command line cannot make the calls of a case, such as one with half a second for a timeout;
// empty where it can. What is asked for in vain must not look like a claim that was broken.
func inexpressible(c scenarios.Case) string {
	for _, step := range c.Calls {
		for _, call := range callsOf(step) {
			asked := subject.Call{
				Session: call.Session, Op: call.Op, Args: call.Args,
				Input: evidence.Input{Timeout: call.Input.Timeout, MessageID: call.Input.MessageID, ResponseKind: call.Input.ResponseKind},
			}
			for _, file := range call.Input.Files {
				asked.Files = append(asked.Files, subject.File{Path: file.Name, MediaType: file.MediaType})
			}
			if reason := subject.CommandCannot(asked); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// weigh lets the ground know what a start of the subject costs.
func weigh(g ground, s subject.Subject) {
	l, onClock := g.(*live)
	started, known := s.(subject.Started)
	if onClock && known {
		l.cost = started.Cost
	}
}

const (
	// startingPerProcessor is how many starts of a program that keeps a processor busy go on at once for each of them:
	// one starts while another waits for a server.
	startingPerProcessor = 2
	// startsEach is how much processor time all starts that go on at once may take of each processor.
	startsEach = time.Second
)

// sideBySide is how many runs are made at once: as many as waiting allows, fewer where each of them starts a program
// that takes its time. More of these would end no sooner, and each would be late for all that it has to do in time.
func (l *live) sideBySide() int {
	if l.cost == nil || l.cost() <= 0 {
		return liveJobs
	}
	processors := runtime.GOMAXPROCS(0)
	affordable := int(time.Duration(processors) * startsEach / l.cost())
	return min(liveJobs, max(startingPerProcessor*processors, affordable))
}

// placelessCommand does for a command what placeless does for what a client says.
func (r *run) placelessCommand(c *evidence.Command) {
	if c == nil {
		return
	}
	replaced := func(text evidence.Text) evidence.Text {
		return evidence.Text(strings.ReplaceAll(string(text), r.files.dir, "‹files›"))
	}
	for i, word := range c.Args {
		c.Args[i] = strings.ReplaceAll(word, r.files.dir, "‹files›")
	}
	c.Stdout, c.Stderr = replaced(c.Stdout), replaced(c.Stderr)
	for i := range c.Files {
		c.Files[i].Content = replaced(c.Files[i].Content)
	}
}

// printedText says how a command ended and what it said last, for a reader who wants to know why. A command that did
// not end by itself has a reason for it.
func printedText(c *evidence.Command, reason string) string {
	text := cmp.Or(reason, fmt.Sprintf("the command ended with exit status %d", c.Exit))
	if said := tail(string(c.Stderr)); said != "" {
		return text + "; the end of its standard error: " + said
	}
	if said := tail(string(c.Stdout)); said != "" {
		return text + "; the end of its standard output: " + said
	}
	return text + "; it printed nothing"
}

// tail is the end of a text in one line.
func tail(text string) string {
	const most = 400
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	for text != "" && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return "…" + text
}
