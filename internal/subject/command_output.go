package subject

import (
	"fmt"
	"sync"
)

// maxOutput is how much of each output of a command is kept, in bytes: half from its beginning, half from its end, where
// the message id of a failure stands.
const maxOutput = 1 << 20

// output keeps what a command writes, both ends of it where it is long. It takes everything, so that no command waits for
// a reader. After it was closed it keeps nothing more.
type output struct {
	mu     sync.Mutex
	first  []byte
	last   []byte // a ring once it is full
	at     int
	size   int64
	closed bool
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return len(p), nil
	}
	o.size += int64(len(p))
	rest := p
	if room := maxOutput/2 - len(o.first); room > 0 {
		taken := min(room, len(rest))
		o.first = append(o.first, rest[:taken]...)
		rest = rest[taken:]
	}
	if len(rest) > maxOutput/2 {
		rest = rest[len(rest)-maxOutput/2:]
	}
	if grow := min(maxOutput/2-len(o.last), len(rest)); grow > 0 {
		o.last = append(o.last, rest[:grow]...)
		rest = rest[grow:]
	}
	for len(rest) > 0 {
		n := copy(o.last[o.at:], rest)
		o.at = (o.at + n) % len(o.last)
		rest = rest[n:]
	}
	return len(p), nil
}

// close ends what is kept.
func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
}

// text is what was kept, and how much was not.
func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := string(o.first)
	if left := o.size - int64(len(o.first)+len(o.last)); left > 0 {
		text += fmt.Sprintf("\n… %d bytes left out …\n", left)
	}
	return text + string(o.last[o.at:]) + string(o.last[:o.at])
}
