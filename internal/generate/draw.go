package generate

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// Name is that of the n-th scenario of a seed.
func Name(seed uint64, n int) string { return fmt.Sprintf("generated-%d-%d", seed, n) }

// draw draws one scenario.
type draw struct {
	*rand.Rand
	runtimes []string // where an admission may send the client
	tasks    bool     // some call asks for a Task
	taskOps  bool     // some call reads, cancels or awaits one
	calls    []string // ids of the calls so far
}

// document draws the n-th scenario of a seed. Every scenario has a source of its own, so that it is the same whatever
// was drawn before it.
func document(seed uint64, n int) object {
	d := &draw{Rand: rand.New(rand.NewPCG(seed, uint64(n))), runtimes: []string{"runtime"}} //nolint:gosec // G404, G115: the same seed has to draw the same
	doc := object{
		{"scenario", plain(Name(seed, n))},
		{"about", fmt.Sprintf("It was drawn with seed %d, as number %d.", seed, n)},
		{"clock", plain("virtual")},
	}
	doc = doc.with("endpoints", d.endpoints())
	doc = doc.with("calls", d.steps())
	return doc.with("when", d.answers())
}

// one draws one of several values.
func one[T any](d *draw, values ...T) T { return values[d.IntN(len(values))] }

// percent is true that often.
func (d *draw) percent(n int) bool { return d.IntN(100) < n }

// between draws a duration. The microseconds keep what the servers do from falling on the instant at which a budget
// ends, when nobody could say what comes first.
func (d *draw) between(least, most time.Duration) plain {
	t := least + time.Duration(d.Int64N(int64(most-least)))
	return plain(strconv.FormatInt(t.Microseconds(), 10) + "us")
}

// whole draws a duration of whole milliseconds, as directions are.
func (d *draw) whole(least, most time.Duration) plain {
	t := least + time.Duration(d.Int64N(int64(most-least)))
	return plain(strconv.FormatInt(t.Milliseconds(), 10) + "ms")
}

func (d *draw) endpoints() object {
	var all object
	if d.percent(25) {
		moved := object{{"side", plain("runtime")}}
		if d.percent(60) {
			moved = moved.with("prefix", one(d, "/p", "/p/q", "/Mixed%2Fcase"))
		}
		moved = moved.with("slash", d.percent(50))
		all, d.runtimes = all.with("moved", moved), append(d.runtimes, "moved", "moved")
	}
	if d.percent(5) {
		all, d.runtimes = all.with("dead", object{{"side", plain("runtime")}, {"accepts", plain("refuse")}}), append(d.runtimes, "dead")
	}
	if d.percent(5) {
		all, d.runtimes = all.with("deaf", object{{"side", plain("runtime")}, {"accepts", plain("hang")}}), append(d.runtimes, "deaf")
	}
	if d.percent(6) {
		all = all.with("other", object{{"side", plain("elsewhere")}})
	}
	return all
}

// steps draws what the client is asked to do: mostly one or two calls.
func (d *draw) steps() []any {
	var steps []any
	for range one(d, 1, 1, 1, 2, 2, 3) {
		switch {
		case d.percent(10):
			second := d.call()
			second = append(second, member{"after", d.between(time.Millisecond, 3*time.Second)})
			steps = append(steps, object{{"together", []any{d.call(), second}}})
		case len(steps) > 0 && d.percent(25):
			steps = append(steps, object{{"pause", d.between(time.Second, 90*time.Second)}}, d.call())
		default:
			steps = append(steps, d.call())
		}
	}
	return steps
}

// call draws one call.
func (d *draw) call() object {
	id := "c" + strconv.Itoa(len(d.calls)+1)
	var c object
	switch n := d.IntN(100); {
	case n < 82:
		c = object{{"send", d.send()}}
	case n < 89:
		c = d.taskCall("get_task", d.timeout(nil))
	case n < 95:
		c = d.taskCall("cancel_task", d.timeout(nil))
	default:
		in := d.timeout(nil).with("poll_interval", d.between(time.Second, 4*time.Second))
		c = d.taskCall("wait_task", in.with("wait_timeout", d.between(5*time.Second, 40*time.Second)))
	}
	c = c.with("id", id)
	d.calls = append(d.calls, id)
	if d.percent(10) {
		c = c.with("client", "b")
	}
	if d.percent(10) {
		c = c.with("session", "other")
	}
	if d.percent(3) {
		c = c.with("cancel_after", d.between(100*time.Millisecond, 20*time.Second))
	}
	return c
}

func (d *draw) taskCall(op string, in object) object {
	d.taskOps = true
	return object{{op, append(object{{"task_id", one(d, "task-1", "task-1", "t/../x", "täsk")}}, in...)}}
}

func (d *draw) send() object {
	in := object{{"message", one[any](d, "What can you do?", "hello", "Grüße, 世界 🌍\nsecond line", "  padded  ", "a \"quoted\" word")}}
	if d.percent(15) {
		in = in.with("message_id", "msg-of-the-caller-"+strconv.Itoa(d.IntN(1000)))
	}
	if d.percent(15) {
		in = in.with("strict_dictionary", true)
		if d.percent(40) {
			in = in.with("json_repair_attempts", 1+d.IntN(5))
		}
	}
	if d.percent(18) {
		d.tasks = true
		in = in.with("response_kind", plain("task"))
	}
	if d.percent(4) {
		in = in.with("files", []any{object{{"name", "a.pdf"}, {"size", 1 + d.IntN(100_000)}}})
	}
	return d.timeout(in)
}

// timeout adds a budget, or none.
func (d *draw) timeout(in object) object {
	switch n := d.IntN(100); {
	case n < 12:
		return in
	case n < 20:
		return in.with("timeout", []any{d.between(time.Second, 6*time.Second), d.between(2*time.Second, 40*time.Second)})
	default:
		return in.with("timeout", d.between(time.Second, 60*time.Second))
	}
}
