package wire

import (
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// cutAt is how many bytes of the answer go out before it is cut.
func cutAt(o *outgoing, cut *scenarios.Cut) int {
	if cut == nil {
		return len(o.bytes)
	}
	switch cut.After {
	case "request":
		return 0
	case "status-line":
		return o.line
	case "headers":
		return o.head
	default:
		return min(o.head+int(min(cut.Bytes, int64(len(o.bytes)))), len(o.bytes))
	}
}
