package verdict

import (
	_ "embed"
)

//go:embed schema.json
var schemaText string

// Schema returns the JSON Schema (2020-12) of results. A later version of the program may add members to a result and
// takes none away, so the schema leaves unknown members alone.
func Schema() []byte { return []byte(schemaText) }
