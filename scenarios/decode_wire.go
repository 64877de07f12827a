package scenarios

import (
	"strconv"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// cutWords are the places of an answer, before its body, at which it may be cut.
func cutWords() []string { return []string{"request", "status-line", "headers"} }

func (d decoder) wire(n *node) Wire {
	return Wire{
		HeadAfter:     d.duration(n.get("head_after")),
		Pace:          pointer(n.get("pace"), d.pace),
		Cut:           pointer(n.get("cut"), d.cut),
		Upload:        pointer(n.get("upload"), d.upload),
		Early:         d.bool(n.get("early")),
		Finish:        d.oneOf(n.get("finish"), "close", "reset"),
		Informational: pointer(n.get("informational"), d.informational),
		Gzip:          d.bool(n.get("gzip")),
		ContentType:   opt(n.get("content_type"), d.text),
		ContentLength: opt(n.get("content_length"), func(n *node) int64 { return d.int(n, 0) }),
	}
}

func (d decoder) pace(n *node) Pace {
	return Pace{
		Bytes: int(d.int(n.get("bytes"), 1)),
		Every: d.positive(n.get("every")),
		Head:  d.bool(n.get("head")),
	}
}

func (d decoder) cut(n *node) Cut {
	cut := Cut{How: d.oneOf(n.get("how"), "close", "reset", "hang")}
	if after := n.get("after"); after.is(numberNode) {
		cut.Bytes = d.int(after, 0)
	} else {
		cut.After = d.oneOf(after, cutWords()...)
	}
	return cut
}

func (d decoder) upload(n *node) Upload {
	upload := Upload{StopAfter: -1, Every: d.positive(n.get("every"))}
	if stop := n.get("stop_after"); stop != nil {
		upload.StopAfter = d.int(stop, 0)
	}
	if pieces := n.get("bytes"); pieces != nil {
		upload.Bytes = int(d.int(pieces, 1))
	}
	return upload
}

// informational is a list of statuses, or a map that repeats one.
func (d decoder) informational(n *node) Informational {
	row := Informational{Times: 1}
	statuses := n
	if n.kind == mapNode {
		statuses = n.get("statuses")
		row.Every = d.positive(n.get("every"))
		if times := n.get("times"); times.is(textNode) && times.text == "any" {
			row.Times = 0
		} else if times != nil {
			row.Times = int(d.int(times, 1))
		}
	}
	if statuses == nil {
		return row
	}
	for _, item := range statuses.items {
		row.Statuses = append(row.Statuses, d.status(item, 100, 199))
	}
	return row
}

// prefix is the path of an endpoint without a slash at its end.
func (d decoder) prefix(n *node) string {
	prefix := d.text(n)
	if prefix != "" && !strings.HasPrefix(prefix, "/") {
		d.want(n, "a path that begins with a slash, such as /p/q")
	}
	return strings.TrimRight(prefix, "/")
}

// expect reads what the reference client does. The result of a scenario with one call needs no name.
func (d decoder) expect(n *node, steps []CallStep) *Expect {
	if n == nil {
		return nil
	}
	expect := &Expect{Calls: map[evidence.Op]int{}, Result: map[string]ExpectResult{}}
	for _, op := range n.get("calls").keys() {
		expect.Calls[evidence.Op(op)] = int(d.int(n.get("calls").get(op), 0))
	}
	result := n.get("result")
	if is := result.get("is"); is != nil {
		calls := allCalls(steps)
		if len(calls) != 1 {
			d.c.addf(result.at, "the scenario has %s calls: say which one, as in result: {%s: {is: …}}", strconv.Itoa(len(calls)), "call-1")
			return expect
		}
		expect.Result[calls[0].ID] = ExpectResult{Is: d.oneOf(is, outcomes()...)}
		return expect
	}
	for _, id := range result.keys() {
		expect.Result[id] = ExpectResult{Is: d.oneOf(result.get(id).get("is"), outcomes()...)}
	}
	return expect
}

// allCalls are the calls of all steps in their order.
func allCalls(steps []CallStep) []Call {
	var calls []Call
	for _, step := range steps {
		if step.Call != nil {
			calls = append(calls, *step.Call)
		}
		calls = append(calls, step.Together...)
	}
	return calls
}
