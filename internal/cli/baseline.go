package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/baseline"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// readBaseline reads the file of known failures, where one is named, and returns what is wrong with it: an entry that
// has expired is, for somebody said that it was to be looked at again.
func (o *reporting) readBaseline(p *program) []string {
	if o.baseline == "" {
		return nil
	}
	file, err := baseline.Read(o.baseline)
	if err != nil {
		return lines("--baseline: ", err)
	}
	o.known = &file
	return prefixed("--baseline: ", file.Expired(p.now().UTC()))
}

// unmatched says which entries are about no scenario and no run that there is: those of files, and others by their ids.
func (o *reporting) unmatched(files []*scenarios.File, others []string) []string {
	if o.known == nil {
		return nil
	}
	var choosers []*chooser
	for _, clock := range []evidence.Clock{evidence.ClockVirtual, evidence.ClockReal} { // one file serves both
		choosers = append(choosers, &chooser{clock: clock, cases: map[*scenarios.File][]scenarios.Case{}})
	}
	known := func(pattern string) bool {
		for _, c := range choosers {
			if slices.ContainsFunc(files, func(f *scenarios.File) bool { return len(c.matching([]string{pattern}, f)) > 0 }) {
				return true
			}
		}
		return slices.ContainsFunc(others, func(run string) bool { return scenarios.Matches(pattern, run) })
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	return prefixed("--baseline: ", o.known.Unmatched(known, names))
}

// unmatchedBy is unmatched for what run could run: the scenarios of the program count beside those that were given.
func (o *runOptions) unmatchedBy(p *program, files []*scenarios.File) []string {
	if o.known == nil {
		return nil
	}
	if len(o.scenarios) > 0 {
		shipped, err := p.shipped()
		if err != nil {
			return lines("", err)
		}
		files = slices.Concat(files, shipped)
	}
	return o.unmatched(files, nil)
}

// unmatchedIn is unmatched for a recording of all there was; of a part nobody can say what else there is.
func (o *reporting) unmatchedIn(p *program, s evidence.Session, runs []evidence.Run) []string {
	if o.known == nil || len(s.Selection.Scenarios)+len(s.Selection.Rules) > 0 {
		return nil
	}
	files, err := p.shipped()
	if err != nil {
		return lines("", err)
	}
	var others []string
	for i := range runs {
		others = append(others, runs[i].ID)
	}
	for _, skipped := range s.Skipped {
		others = append(others, skipped.Scenario)
	}
	return o.unmatched(files, others)
}

func prefixed(prefix string, list []string) []string {
	for i := range list {
		list[i] = prefix + list[i]
	}
	return list
}

func (p *program) baselineCommand() *cobra.Command {
	group := p.command(&cobra.Command{
		Use:   "baseline update",
		Short: "Write the file of known failures that --baseline reads",
		Long: "Work with a file of known failures: what a client is known to break, with the reason why that is accepted\n" +
			"for now. run --baseline and judge --baseline read it: docs/baseline.md.",
		Example: "  a2a-conform baseline update --baseline known.yaml result.json",
	}, func(_ context.Context, cmd *cobra.Command, given arguments) error {
		return p.unknownCommand(cmd, given)
	})
	group.Args = cobra.ArbitraryArgs
	group.AddCommand(p.baselineUpdateCommand())
	return group
}

func (p *program) baselineUpdateCommand() *cobra.Command {
	var path string
	cmd := p.command(&cobra.Command{
		Use:   "update --baseline FILE RESULT",
		Short: "Bring a file of known failures to what a result says",
		Long: "Bring FILE to what RESULT says, a report of run --format json of a whole judging. What fails and is not in\n" +
			"the file is added, with the reason \"" + baseline.Unreviewed + "\", for a person to write a better one. What no longer\n" +
			"fails is taken out. All else stays as it is written: reasons, issues, days, comments. A FILE that is not\n" +
			"there is begun." + listCodes,
		Example: "  a2a-conform run --format json --output result.json -- python3 mydriver.py\n" +
			"  a2a-conform baseline update --baseline known.yaml result.json",
	}, func(_ context.Context, cmd *cobra.Command, given arguments) error {
		problems := given.problems
		if path == "" {
			problems = append(problems, "--baseline: want the file that is to be written")
		} else if err := writable(path); err != nil {
			problems = append(problems, "--baseline: "+err.Error())
		}
		var file baseline.File
		if _, err := os.Stat(path); err == nil && len(problems) == 0 {
			var unread error
			file, unread = baseline.Read(path)
			problems = append(problems, lines("--baseline: ", unread)...)
		}
		var changes verdict.Changes
		switch words := given.all(); len(words) {
		case 1:
			r, err := readResultFile(words[0])
			if err == nil {
				changes, err = verdict.Update(file, r)
			}
			if err != nil {
				problems = append(problems, words[0]+": "+err.Error())
			}
		default:
			problems = append(problems, fmt.Sprintf("baseline update takes one result, a report of run --format json, got %d", len(words)))
		}
		if err := usage(cmd, problems); err != nil {
			return err
		}
		return p.updateBaseline(path, file, changes)
	})
	cmd.Flags().StringVar(&path, "baseline", "", "bring `FILE` to what the result says")
	return cmd
}

// readResultFile reads a result as --format json writes it.
func readResultFile(path string) (verdict.Result, error) {
	var r verdict.Result
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return r, errors.New("is no plain file")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return r, fmt.Errorf("cannot be read: %w", cause(err))
	}
	if err := json.Unmarshal(data, &r); err != nil || r.Schema != verdict.SchemaVersion || r.Tool.Name != name {
		return r, errors.New("is no result of a judging: give what run --format json has written")
	}
	return r, nil
}

// updateBaseline writes the file where something changes, and tells what.
func (p *program) updateBaseline(path string, file baseline.File, c verdict.Changes) error {
	_, err := os.Stat(path)
	fresh := errors.Is(err, fs.ErrNotExist)
	if len(c.Added)+len(c.Dropped) > 0 || fresh {
		gone := func(e baseline.Entry) bool { return slices.Contains(c.Dropped, e) }
		err := replace(path, func(w io.Writer) error {
			_, err := w.Write(file.Edit(gone, c.Added))
			return err
		})
		if err != nil {
			return fmt.Errorf("write the baseline to %s: %w", path, cause(err))
		}
	}
	var b strings.Builder
	b.WriteString(c.Text())
	for _, late := range file.Expired(p.now().UTC()) {
		b.WriteString("expired  " + late + "\n")
	}
	fmt.Fprintf(&b, "%s: %d added, %d kept, %d dropped\n", path, len(c.Added), len(c.Kept), len(c.Dropped))
	if len(c.Added) > 0 {
		fmt.Fprintf(&b, "Now write into it why each is accepted, in place of %q.\n", baseline.Unreviewed)
	}
	_, err = io.WriteString(p.stdout, b.String())
	return err
}
