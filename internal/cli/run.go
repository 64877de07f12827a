package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/suites"
)

// exitCodes is the part of a help text that lists the codes of the commands that judge.
const exitCodes = `

Exit codes:
  0    conformant, in all or in the part that was judged, or but for what the baseline names
  1    not conformant: a rule was broken
  2    the command line or a file is wrong; nothing was started
  3    not judged: the plain success case failed, or a MUST rule was left open
  4    the baseline is stale: it excuses what no longer fails
  5    the harness itself is at fault
  130  interrupted; nothing was judged`

func (p *program) runCommand() *cobra.Command {
	var o runOptions
	cmd := p.command(&cobra.Command{
		Use:   "run [FILTER…] [-- DRIVER…]",
		Short: "Judge a client: the reference client, yours through a driver, or a command line",
		Long: "Judge the project's own reference client: run the scenarios against it on virtual time, judge what was\n" +
			"recorded, and report. Your own Go client is judged inside its tests: docs/go-client.md.\n\n" +
			"DRIVER is the command line of a small program around your client, in any language, that speaks the driver\n" +
			"protocol (docs/drivers.md). It is started in your directory, twice where there is much to do, and makes all\n" +
			"calls, on real time; driver check says what it lacks. --attach reaches a driver that is running already.\n\n" +
			"With --command a command line is judged: what stands behind -- is its beginning, to which agent session a2a send …\n" +
			"is appended. It is started anew for each call, on real time. Its first word is looked up from your\n" +
			"directory; it runs in another one, so name other files by their full paths. What it finds there, and how it\n" +
			"is told of the platform: docs/judge-a-command.md.\n\n" +
			"A FILTER is a chapter (FLOW), a rule (FLOW-06), or the name of a scenario or the id of a run, with * and ?\n" +
			"(refusal-drips/*, refusal-drips/status=302). A chapter or rule selects the scenarios that cover it. Where both kinds\n" +
			"are given, names choose what is run, chapters and rules what is judged." + exitCodes,
		Example: "  a2a-conform run\n  a2a-conform run FLOW REQ-16\n  a2a-conform run FLOW-06 'waking-*'\n" +
			"  a2a-conform run -- python3 mydriver.py\n  a2a-conform run --command -- ./bin/mycli\n" +
			"  a2a-conform run --format json --output result.json --record evidence/",
	}, func(ctx context.Context, cmd *cobra.Command, given arguments) error {
		collected := boundHeap(planHeap)
		todo, problems := o.plan(p, given)
		collected()
		if err := usage(cmd, problems); err != nil {
			return err
		}
		if o.drawn.wanted() {
			return p.generating(ctx, todo, o.reporting)
		}
		if o.dryRun {
			p.dryRun(todo)
			return nil
		}
		if err := identify(ctx, cmd, todo.subject); err != nil {
			return err
		}
		o.strict = o.strict || o.defect != "" // a SHOULD rule shows a defect by a warning
		o.advice = len(o.scenarios) == 0 && o.defect == "" && !o.command && !o.driven()
		return p.judging(ctx, todo, o.reporting)
	})
	o.define(cmd.Flags())
	return cmd
}

// dryRun lists the runs of a plan and the rules that they say they cover.
func (p *program) dryRun(todo plan) {
	wanted, skipped := runner.Planned(todo.subject, todo.choice.cases, todo.options())
	var covered []string
	for _, c := range wanted {
		for _, rule := range c.Covers {
			if !slices.Contains(covered, rule) {
				covered = append(covered, rule)
			}
		}
	}
	order := suites.RuleIDs()
	slices.SortFunc(covered, func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) })
	for _, c := range wanted {
		fmt.Fprintf(p.stdout, "%-48s  %s\n", c.ID, strings.Join(c.Covers, " "))
	}
	fmt.Fprintf(p.stdout, "\n%s would be made, covering %s\n", counted(len(wanted), "run"), counted(len(covered), "rule"))
	if len(covered) > 0 {
		fmt.Fprintln(p.stdout, strings.Join(covered, " "))
	}
	left := map[string]int{}
	for _, s := range skipped {
		left[s.Reason]++
	}
	for _, reason := range slices.Sorted(maps.Keys(left)) {
		fmt.Fprintf(p.stdout, "%s would not: %s\n", counted(left[reason], "run"), reason)
	}
}

// counted writes a number of things.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
