package report

import (
	"encoding/json"
	"io"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

// writeJSON writes the result as its schema describes it (verdict.Schema).
func writeJSON(w io.Writer, r verdict.Result, _ Options) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}
