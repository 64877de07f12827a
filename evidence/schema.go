package evidence

import _ "embed" // for the schema

//go:embed schema.json
var schemaFile []byte

// Schema returns the JSON Schema (2020-12) of the documents of the file form. $defs/Session describes session.json,
// $defs/Run a document in runs/; the schema itself takes either. It is made from the types of this package: a test
// holds the two together and writes the file anew with -update.
func Schema() []byte { return append([]byte(nil), schemaFile...) }
