package scenarios

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// decoder makes the types of a case from nodes. The schema has seen the file before; what is left to complain of here
// is the values that came in through placeholders, and what a schema cannot tell.
type decoder struct {
	c *collector
}

func (d decoder) want(n *node, what string) {
	d.c.addf(n.at, "want %s, here %s", what, n.show())
}

// text is the text of a member, empty where it is absent.
func (d decoder) text(n *node) string {
	switch {
	case n == nil:
		return ""
	case n.kind != textNode:
		d.want(n, "a text (between quotes, if it looks like something else)")
		return ""
	default:
		return n.text
	}
}

func (d decoder) bool(n *node) bool {
	switch {
	case n == nil:
		return false
	case n.kind != boolNode:
		d.want(n, "true or false")
		return false
	default:
		return n.text == "true"
	}
}

// maxSize bounds texts and files that are made for a call, in bytes.
const maxSize = 64 << 20

// size is a number of bytes to make; 0 where it is absent or wrong.
func (d decoder) size(n *node) int64 {
	size := d.int(n, 0)
	if size > maxSize {
		d.want(n, "a number of bytes, 0 to 67108864 (64 MiB)")
		return 0
	}
	return size
}

// int is a whole number from least upwards; least where it is absent or wrong.
func (d decoder) int(n *node, least int64) int64 {
	if n == nil {
		return least
	}
	i, err := strconv.ParseInt(n.text, 10, 64)
	if n.kind != numberNode || err != nil || i < least {
		d.want(n, "a whole number, "+strconv.FormatInt(least, 10)+" or more")
		return least
	}
	return i
}

// status is an HTTP status of a class or more, 0 where it is absent.
func (d decoder) status(n *node, from, to int) int {
	if n == nil {
		return 0
	}
	i, err := strconv.Atoi(n.text)
	if n.kind != numberNode || err != nil || i < from || i > to {
		d.want(n, fmt.Sprintf("an HTTP status, %d to %d", from, to))
		return 0
	}
	return i
}

func (d decoder) number(n *node) float64 {
	f, err := strconv.ParseFloat(n.text, 64)
	if n.kind != numberNode || err != nil {
		d.want(n, "a number")
		return 0
	}
	return f
}

const durationForm = "a duration with a unit, such as 1500ms or 24h"

// duration is a length of time of zero or more.
func (d decoder) duration(n *node) time.Duration {
	length := d.anyDuration(n)
	if length < 0 {
		d.want(n, durationForm+", zero or more")
		return 0
	}
	return length
}

// positive is a length of time above zero; 0 where it is absent or wrong.
func (d decoder) positive(n *node) time.Duration {
	length := d.anyDuration(n)
	if n != nil && length <= 0 {
		d.want(n, durationForm+", more than zero")
		return 0
	}
	return length
}

func (d decoder) anyDuration(n *node) time.Duration {
	if n == nil {
		return 0
	}
	length, err := time.ParseDuration(n.text)
	if n.kind != textNode || err != nil || n.text == "0" {
		d.want(n, durationForm)
		return 0
	}
	return length
}

// oneOf is a word out of a few, empty where it is absent.
func (d decoder) oneOf(n *node, words ...string) string {
	if n == nil {
		return ""
	}
	for _, word := range words {
		if n.kind == textNode && n.text == word {
			return word
		}
	}
	d.c.addf(n.at, "want one of %s, here %s%s", quoteAll(words), n.show(), didYouMean(n.text, words))
	return ""
}

// texts is a map of texts. A member that is null is left out: a header that a case does not send.
func (d decoder) texts(n *node) map[string]string {
	if n == nil {
		return nil
	}
	texts := map[string]string{}
	for _, m := range n.members {
		if m.value.kind != nullNode {
			texts[m.key] = d.text(m.value)
		}
	}
	return texts
}

// raw is JSON as the file gives it, nil where the member is absent.
func (d decoder) raw(n *node) []byte {
	if n == nil {
		return nil
	}
	return n.json()
}

// opt keeps absent, null and a value apart.
func opt[T any](n *node, read func(*node) T) evidence.Opt[T] {
	switch {
	case n == nil:
		return evidence.Absent[T]()
	case n.kind == nullNode:
		return evidence.Null[T]()
	default:
		return evidence.Some(read(n))
	}
}

// timeout is a duration, a number of seconds, a pair of these, or a word for what JSON cannot write.
func (d decoder) timeout(n *node) evidence.Timeout {
	if n.kind != listNode {
		return evidence.Timeout{Total: d.seconds(n)}
	}
	if len(n.items) != 2 {
		d.want(n, "a pair [connect, read] of two times")
		return evidence.Timeout{}
	}
	return evidence.Timeout{Pair: true, Connect: d.seconds(n.items[0]), Read: d.seconds(n.items[1])}
}

func (d decoder) seconds(n *node) float64 {
	if n.kind == numberNode {
		return d.number(n)
	}
	if n.kind == textNode {
		var word evidence.Timeout
		if json.Unmarshal([]byte(strconv.Quote(n.text)), &word) == nil {
			return word.Total
		}
		if length, err := time.ParseDuration(n.text); err == nil {
			return length.Seconds()
		}
	}
	d.want(n, `a time: a duration such as "30s", a number of seconds, NaN, Infinity or -Infinity`)
	return 0
}
