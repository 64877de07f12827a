package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/baseline"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// publishedSchema is the JSON Schema of a format that others depend on.
type publishedSchema struct {
	name string
	text func() []byte
}

func publishedSchemas() []publishedSchema {
	return []publishedSchema{{"scenario", scenarios.Schema}, {"evidence", evidence.Schema}, {"result", verdict.Schema}, {"baseline", baseline.Schema}, {"driver", subject.DriverSchema}}
}

func (p *program) schemaCommand() *cobra.Command {
	return p.command(&cobra.Command{
		Use:   "schema scenario|evidence|result|baseline|driver",
		Short: "Write a JSON Schema: of scenario files, recordings, the JSON report, baselines, drivers",
		Long: "Write a JSON Schema (2020-12): of scenario files, of the documents of a recording, of the JSON report, of\n" +
			"files of known failures, or of the messages between this program and a driver (docs/drivers.md)." + listCodes,
		Example: "  a2a-conform schema scenario > scenario.schema.json",
	}, func(_ context.Context, cmd *cobra.Command, given arguments) error {
		problems := given.problems
		wanted, problem := one("schema", "scenario, evidence, result, baseline or driver", given)
		var names []string
		var text []byte
		for _, s := range publishedSchemas() {
			names = append(names, s.name)
			if s.name == wanted {
				text = s.text()
			}
		}
		if problem == "" && text == nil {
			problem = fmt.Sprintf("there is no schema of %q%s", wanted, guessOr(wanted, names))
		}
		if problem != "" {
			problems = append(problems, problem)
		}
		if err := usage(cmd, problems); err != nil {
			return err
		}
		_, err := p.stdout.Write(text)
		return err
	})
}
