package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

func (p *program) judgeCommand() *cobra.Command {
	var o reporting
	cmd := p.command(&cobra.Command{
		Use:   "judge PATH",
		Short: "Judge a recording again",
		Long: "Judge what run --record has kept, a directory or a file that ends in .zip. Judging uses nothing but the\n" +
			"recording, so the result is that of the run that made it." + exitCodes,
		Example: "  a2a-conform run --record evidence/\n  a2a-conform judge evidence/\n  a2a-conform judge evidence.zip --format json",
	}, func(_ context.Context, cmd *cobra.Command, given arguments) error {
		problems := slices.Concat(given.problems, o.problems(), o.readBaseline(p))
		var session evidence.Session
		var runs []evidence.Run
		switch words := given.all(); len(words) {
		case 1:
			var err error
			session, runs, err = evidence.Read(words[0])
			problems = append(problems, lines("", err)...)
			if err == nil {
				problems = append(problems, o.unmatchedIn(p, session, runs)...)
			}
		default:
			problems = append(problems, fmt.Sprintf("judge takes the path of one recording, got %d", len(words)))
		}
		if err := usage(cmd, problems); err != nil {
			return err
		}
		began := p.now()
		r := verdict.Judge(session, runs, verdict.Options{Strict: o.strict, Baseline: o.known})
		r.DurationMS = p.now().Sub(began).Milliseconds()
		return o.show(p, r)
	})
	o.define(cmd.Flags())
	return cmd
}
