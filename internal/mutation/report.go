package main

import (
	"fmt"
	"strings"
)

// sums counts what became of mutants.
type sums struct{ all, proven, onRuns, fell, living, unreached int }

func (s *sums) add(f fate) {
	s.all++
	switch {
	case f.end == lives:
		s.living++
	case f.end == unreached:
		s.unreached++
	case f.proven:
		s.proven++
	default:
		s.onRuns++
	}
	if f.end == panicked || f.end == endless {
		s.fell++
	}
}

// share is the part that was killed, in per cent with one digit, rounded down.
func (s *sums) share() string {
	if s.all == 0 {
		return "–"
	}
	permille := 1000 * (s.proven + s.onRuns) / s.all
	return fmt.Sprintf("%d.%d %%", permille/10, permille%10)
}

func (s *sums) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %s |\n", name, s.all, s.proven, s.onRuns, s.living, s.unreached, s.share())
}

// head is what a reader has to know before the figures.
const head = `<!-- Made by "make mutation". Reasons are written in internal/mutation/survivors.txt. -->

# What the tests of the rules would miss

The rules judge clients; this page is about who judges the rules. Small mistakes are made in the code of ` + "`suites/`" + `, one at a time, and it is noted whether anything notices. A mistake that nothing notices is either a hole in the tests or no mistake: then the reason stands below.

"make mutation" makes one test program that holds all mistakes and wakes one after the other. It takes some minutes and is not part of "make test". It fails where a mistake lives without a reason, and where a reason has no mistake any more.

**The mistakes.** A condition made true or false, and each part of one that can decide it; the border of a comparison taken in or out (` + "`<`, `<=`" + `), and a whole number in it moved the other way by one; a span of time a millisecond longer and shorter; nothing added to a moment; minus for plus and the lesser for the greater; a returned true or false turned round; a statement left out. Mistakes that the same tests notice are not made twice: whoever sees ` + "`a && b`" + ` with a made true also sees ` + "`a || b`" + `. Texts are not changed.

**Who notices.** First the tests of the package, most of them tapes with the status that they must get. Then recorded runs, for what no test noticed: the reference client, the second client and the second command in all scenarios, and each wrong client in the scenario that shows it. A mistake is noticed there when a rule gives a call another status than without it; that is less than a test, which says what is right, and so it is counted apart. Last, for what neither comes to, the test that shows a tree of specs in a process of its own. The test of the tree of all runs is left out: it takes some seconds, for each mistake.

**The reasons.** Where a reason begins with "hole:", no test rests on that part of the code alone; nobody has found out yet whether one can. All others are no mistakes: what is judged with them is the same, or only a text is another.

`

// page writes the page.
func page(mutants []Mutant, fates map[int]fate, why map[int]string) string {
	var w strings.Builder
	w.WriteString(head)
	var total sums
	byFile := map[string]*sums{}
	var files []string
	for _, m := range mutants {
		if byFile[m.File] == nil {
			byFile[m.File] = &sums{}
			files = append(files, m.File)
		}
		byFile[m.File].add(fates[m.Number])
		total.add(fates[m.Number])
	}
	holes := 0
	for _, reason := range why {
		if isHole(reason) {
			holes++
		}
	}
	fmt.Fprintf(&w, "**%s of %d mistakes are noticed**: %d by tests, %d more by recorded runs only; %d of all these made the program fall over or come to no end. %d live, %d of them where nothing comes by. %d are holes.\n\n",
		total.share(), total.all, total.proven, total.onRuns, total.fell, total.living+total.unreached, total.unreached, holes)
	w.WriteString("| File | Mistakes | Noticed by tests | By runs only | Live | Never reached | Noticed |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, f := range files {
		w.WriteString(byFile[f].row("`" + f + "`"))
	}
	w.WriteString(total.row("all"))
	w.WriteString("\n## Mistakes that live\n")
	shown := ""
	for _, m := range mutants {
		f := fates[m.Number]
		if f.killed() {
			continue
		}
		if m.File != shown {
			shown = m.File
			fmt.Fprintf(&w, "\n### %s\n\n", m.File)
		}
		never := ""
		if f.end == unreached {
			never = ", never reached"
		}
		text := why[m.Number]
		if text == "" {
			text = "NO REASON YET"
		}
		fmt.Fprintf(&w, "- %d:%d `%s`, %s of `%s`%s: %s\n", m.Line, m.Col, m.Func, m.Op, strings.ReplaceAll(m.Source, "`", "'"), never, text)
	}
	return w.String()
}
