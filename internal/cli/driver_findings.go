package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// mark is what a finding comes to.
type mark string

const (
	fine      mark = "ok"
	works     mark = "works"
	broke     mark = "broken"
	refused   mark = "refused"
	remark    mark = "note"
	unclaimed mark = "-"
)

// finding is one line of a check: about what, and what is wrong and what to do where it is not fine.
type finding struct {
	mark  mark
	about string
	text  string
}

// String is the line.
func (f finding) String() string {
	if f.text == "" {
		return fmt.Sprintf("%-8s %s", f.mark, f.about)
	}
	return fmt.Sprintf("%-8s %s: %s", f.mark, f.about, f.text)
}

// listed are findings about one thing: it is fine where nothing else is found.
func listed(about string, wrong []finding) []finding {
	if len(wrong) == 0 {
		return []finding{{fine, about, ""}}
	}
	return wrong
}

// atFirst are the findings about what comes before the calls.
func (e *examined) atFirst() []finding {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := e.aboutHello()
	if e.unready != nil {
		return slices.Concat(all, e.aboutNoise(), []finding{{remark, "everything else", "not tried, since there was no session"}})
	}
	all = append(all, listed("standard output", e.aboutNoise())...)
	return append(all, listed("unknown operation", e.aboutUnknown())...)
}

// atLast are the findings about all calls, and about the end.
func (e *examined) atLast() []finding {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := listed("elapsed", e.aboutElapsed())
	if e.ending != nil {
		all = append(all, listed("standard error", e.aboutSecrets())...)
		all = append(all, listed("bye", e.aboutBye())...)
	}
	return all
}

// unknownMark is what errors about the operation that there is not have in common.
const unknownMark = "was asked for the operation"

func (e *examined) aboutHello() []finding {
	var wrong []finding
	add := func(m mark, format string, args ...any) {
		wrong = append(wrong, finding{m, "hello", e.clean(fmt.Sprintf(format, args...))})
	}
	for _, text := range each(e.unready) {
		add(broke, "%s; a driver answers the harness's hello by its own, within 60 s", text)
	}
	for _, err := range e.wrong {
		if strings.Contains(err.Error(), unknownMark) {
			continue
		}
		for _, text := range each(err) {
			add(broke, "%s; such a hello ends a session", text)
		}
	}
	if e.unready != nil {
		return wrong
	}
	about := e.About()
	known := slices.Concat(verdict.Required(), verdict.Optional())
	for _, c := range about.Capabilities {
		if slices.Contains(known, c) {
			continue
		}
		guess := strings.TrimSuffix(scenarios.DidYouMean(c, known), "?")
		m := remark
		if guess != "" {
			m = broke
		}
		add(m, "%q is no capability%s; one that nobody knows asks for nothing", c, guess)
	}
	for _, c := range verdict.Required() {
		if !slices.Contains(about.Capabilities, c) {
			add(remark, "%s is not claimed: rules that need it stay open, and with them the verdict of run", c)
		}
	}
	if about.Version == "" {
		add(remark, "client.version is missing: no report can say which version was judged")
	}
	if about.Parallel == 1 {
		add(remark, "parallel is 1: scenarios with calls at once are left out, and run takes long; make calls on threads and raise it where the client allows")
	}
	return listed("hello", wrong)
}

func (e *examined) aboutNoise() []finding {
	if len(e.noise) == 0 {
		return nil
	}
	return []finding{{
		broke, "standard output",
		fmt.Sprintf("%s no JSON object, the first: %s; keep the real standard output for yourself and point descriptor 1 at standard error before the client is loaded, since libraries print",
			countedAre(len(e.noise), "line"), e.shown(e.noise[0])),
	}}
}

// shortened is a line of foreign text, fit for a line of a report.
func shortened(text string) string {
	const most = 100
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "?")
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most]) + "…"
	}
	return fmt.Sprintf("%q", text)
}

func (e *examined) aboutUnknown() []finding {
	var wrong []finding
	for _, err := range e.wrong {
		switch {
		case !strings.Contains(err.Error(), unknownMark):
		case len(e.noise) > 0 && strings.Contains(err.Error(), "the line is no message"):
			wrong = append(wrong, finding{remark, "unknown operation", "not clear, for what stands beside the answer on standard output"})
		default:
			wrong = append(wrong, finding{broke, "unknown operation", e.clean(err.Error()) + "; look at op before anything else"})
		}
	}
	return wrong
}

func (e *examined) aboutElapsed() []finding {
	switch {
	case e.overlong != nil:
		return []finding{{broke, "elapsed", fmt.Sprintf(
			"a result says %s s, and call and result were %s s apart; give seconds, by a monotonic clock, directly around the client's call",
			inSeconds(e.overlong.elapsed), inSeconds(e.overlong.took))}}
	case e.unmeasured > 0:
		return []finding{{remark, "elapsed", fmt.Sprintf(
			"%d of %d results have none that is a number of seconds from 0; without it what the driver itself needs counts as the client's time", e.unmeasured, e.measures)}}
	default:
		return nil
	}
}

// aboutSecrets says whether credentials stand where anybody may read them: logs are kept and shown.
func (e *examined) aboutSecrets() []finding {
	if !e.tells([]byte(e.ending.Said)) {
		return nil
	}
	return []finding{{broke, "standard error", "a token of the session stands in it; write no message, header or address to a log that holds one"}}
}

// tells reports whether a text holds a token of the session.
func (e *examined) tells(text []byte) bool {
	if e.clean(string(text)) != string(text) {
		return true
	}
	return slices.ContainsFunc(e.holds, func(holds func([]byte) bool) bool { return holds(text) })
}

// clean takes the tokens of the platform out of a text.
func (e *examined) clean(text string) string {
	for _, token := range []string{e.platform.Token, e.platform.RefreshToken} {
		if token != "" {
			text = strings.ReplaceAll(text, token, "‹token›")
		}
	}
	return text
}

// shown is a line that a driver wrote, fit to be shown.
func (e *examined) shown(line []byte) string {
	text := e.clean(string(line))
	if e.tells([]byte(text)) {
		return "one that holds a token"
	}
	return shortened(text)
}

func (e *examined) aboutBye() []finding {
	var wrong []finding
	add := func(m mark, format string, args ...any) {
		wrong = append(wrong, finding{m, "bye", fmt.Sprintf(format, args...)})
	}
	end := *e.ending
	switch end.By {
	case "":
		add(broke, "%s, before anybody asked it to", end.How)
	case "bye":
	case "TERM":
		add(broke, "the driver had not ended 5 s after it, and did when its standard input was closed and TERM came; end the process when bye is read, whatever calls are open")
	default:
		add(broke, "the driver had not ended 5 s after it, nor when its standard input was closed and TERM came, and was ended by %s; end the process when bye is read, whatever threads are left", end.By)
	}
	if end.By == "bye" && end.Failed {
		add(remark, "%s, which tells of a fault", end.How)
	}
	if end.Left {
		add(broke, "processes that the driver had started outlived it; end them first")
	}
	return wrong
}

var _ subject.Session = (*examined)(nil)
