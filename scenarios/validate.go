package scenarios

import "github.com/a2a-conform/a2a-conform/evidence"

// check adds every problem of a file to c: what its schema says, then what only its cases show.
func check(root *node, name string, o Options, c *collector) {
	c.next()
	for _, clock := range []evidence.Clock{evidence.ClockVirtual, evidence.ClockReal} {
		for _, v := range variants(root, stem(name), clock) {
			c.next()
			filled := fill(root, v.values, c)
			decoder{c}.decodeCase(filled, v.id, clock)
		}
	}
	_ = o
}
