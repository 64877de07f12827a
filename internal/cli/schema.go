package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// publishedSchema is the JSON Schema of a format that others depend on.
type publishedSchema struct {
	name string
	text func() []byte
}

func publishedSchemas() []publishedSchema {
	return []publishedSchema{{"scenario", scenarios.Schema}, {"evidence", evidence.Schema}, {"result", verdict.Schema}}
}

func (p *program) schemaCommand() *cobra.Command {
	return p.command(&cobra.Command{
		Use:     "schema scenario|evidence|result",
		Short:   "Write a JSON Schema: of scenario files, of recordings, of the JSON report",
		Long:    "Write a JSON Schema (2020-12): of scenario files, of the documents of a recording, or of the JSON report." + listCodes,
		Example: "  a2a-conform schema scenario > scenario.schema.json",
	}, func(_ context.Context, cmd *cobra.Command, given arguments) error {
		problems := given.problems
		wanted, problem := one("schema", "scenario, evidence or result", given)
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
