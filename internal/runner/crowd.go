package runner

import "sync"

// crowd counts handlers at work. Unlike a sync.WaitGroup it may be waited for, with a bound, while more of them come.
type crowd struct {
	mu    sync.Mutex
	n     int
	empty chan struct{} // closed when nobody is left; nil where nobody waits for that
}

func (c *crowd) enter() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func (c *crowd) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n--
	if c.n == 0 && c.empty != nil {
		close(c.empty)
		c.empty = nil
	}
}

// idle returns a channel that is closed once nobody is at work.
func (c *crowd) idle() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == 0 {
		none := make(chan struct{})
		close(none)
		return none
	}
	if c.empty == nil {
		c.empty = make(chan struct{})
	}
	return c.empty
}
