// Package report writes a result for its readers: people at a terminal, and programs.
//
// The room holds one file per format and what formats share in writing text. A format takes nothing but the result,
// so no two of them can disagree; what is judged, and what the verdict is, was decided before.
package report

import (
	"io"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

// Options say for whom a report is written. Formats for programs ignore them.
type Options struct {
	// Width is how many columns a line may have; DefaultWidth where it is below 40.
	Width int
	// Colour asks for ANSI colours.
	Colour bool
	// Verbose asks for every rule in place of a line for each chapter.
	Verbose bool
	// Screen tells that the report must be short enough to be read on a screen: remarks are cut to a line each.
	Screen bool
	// Advice asks for a last line that says how a reader's own Go client is judged.
	Advice bool
}

// DefaultWidth is the width of a report where nothing says how wide its reader's terminal is.
const DefaultWidth = 100

// Format is one way to write a result.
type Format struct {
	// Name is what --format takes; About says in a few words who reads it.
	Name, About string
	// Write writes the whole result. Its only error is that of the writer.
	Write func(w io.Writer, r verdict.Result, o Options) error
	// Log tells that it belongs on standard output, behind the console report, and into no file.
	Log bool
}

// Formats lists the formats by name.
func Formats() []Format {
	return []Format{
		{Name: "console", About: "for people at a terminal", Write: writeConsole},
		{Name: "json", About: "for programs; schema result", Write: writeJSON},
		{Name: "junit", About: "for programs that show tests; XML", Write: writeJUnit},
		{Name: "markdown", About: "a page for people", Write: writeMarkdown},
		{Name: "github", About: "annotations of GitHub Actions", Write: writeGitHub, Log: true},
	}
}

// Names lists the names of the formats.
func Names() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// Find returns the format of that name.
func Find(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}
