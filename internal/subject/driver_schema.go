package subject

import _ "embed" // for the schema

//go:embed driver.schema.json
var driverSchema []byte

// DriverSchema returns the JSON Schema (2020-12) of the messages of the driver protocol: $defs/FromHarness takes those
// that a driver reads, $defs/FromDriver those that it writes, and the schema itself both.
func DriverSchema() []byte { return append([]byte(nil), driverSchema...) }
