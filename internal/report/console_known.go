package report

import (
	"strconv"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

// known says what the baseline excused, and which of its entries want to be looked at.
func (p *page) known(r verdict.Result) {
	if r.Baseline == nil {
		return
	}
	unreviewed := 0
	p.ofState(r.Baseline, verdict.EntryUsed, "known", func(e verdict.KnownEntry) string {
		if e.Unreviewed() {
			unreviewed++
		}
		return knownText(e)
	})
	if unreviewed > 0 {
		p.field(0, "", plural(unreviewed, "entry has", "entries have")+" no reason yet: write into "+r.Baseline.File+" why this is accepted")
	}
	p.ofState(r.Baseline, verdict.EntryStale, "stale", func(e verdict.KnownEntry) string {
		return e.Name() + ": " + staleText(e) + "; take it out of " + r.Baseline.File + ", line " + strconv.Itoa(e.Line) + ", or let baseline update do it"
	})
}

// ofState writes a line for each entry of a state, as far as there are few of them.
func (p *page) ofState(b *verdict.Baseline, state verdict.EntryState, label string, text func(verdict.KnownEntry) string) {
	const most = 20
	shown, left := 0, 0
	for _, e := range b.Entries {
		if e.State != state {
			continue
		}
		line := text(e)
		if shown == most && !p.verbose {
			left++
			continue
		}
		shown++
		p.field(0, label, line)
		label = ""
	}
	if left > 0 {
		p.field(0, "", "and "+plural(left, "further entry", "further entries")+", which -v shows")
	}
}

// knownText says what an entry excuses and why.
func knownText(e verdict.KnownEntry) string {
	text := e.Name()
	if e.Checks > 0 {
		text += " (" + plural(e.Checks, "check") + ")"
	} else {
		text += " (" + words(string(e.Status)) + ")"
	}
	text += ": " + e.Reason
	if e.Issue != "" {
		text += " [" + e.Issue + "]"
	}
	return text
}

// staleText says what an entry is wrong about.
func staleText(e verdict.KnownEntry) string {
	return map[string]string{
		"failed": "no check of it failed", "not_exercised": "it was exercised",
		"inconclusive": "it is no longer inconclusive", "unsupported": "the client claims what it needs",
	}[string(e.Status)]
}
