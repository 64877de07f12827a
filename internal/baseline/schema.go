package baseline

import (
	_ "embed"
)

//go:embed schema.json
var schemaText string

// Schema returns the JSON Schema (2020-12) of files of known failures.
func Schema() []byte { return []byte(schemaText) }
