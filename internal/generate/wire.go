package generate

import "time"

// onTheWay adds what happens to an answer on the wire; mostly nothing.
func (d *draw) onTheWay(body bool, step object) object {
	if !d.percent(30) {
		return step
	}
	wire := object{}
	if d.percent(45) {
		wire = wire.with("head_after", d.between(10*time.Millisecond, 25*time.Second))
	}
	return step.with("wire", d.fault(body, wire))
}

// fault adds something that happens to an answer, or to the request where that has a body.
func (d *draw) fault(body bool, wire object) object {
	switch n := d.IntN(100); {
	case n < 25:
		pace := object{{"bytes", 1 + d.IntN(60)}, {"every", d.between(200*time.Millisecond, 4*time.Second)}}
		if d.percent(30) {
			pace = pace.with("head", true)
		}
		return wire.with("pace", pace)
	case n < 50:
		at := one[any](d, plain("request"), plain("status-line"), plain("headers"), 0, 1, 17)
		how := one(d, plain("close"), plain("reset"), plain("hang"))
		if at == plain("request") && how == "hang" {
			wire = nil // there is no head that could come late
		}
		return wire.with("cut", object{{"after", at}, {"how", how}})
	case n < 60:
		return wire.with("finish", one(d, plain("close"), plain("reset")))
	case n < 68:
		return wire.with("informational", object{{"statuses", []any{one(d, 100, 102, 103)}}, {"every", d.between(300*time.Millisecond, 3*time.Second)}, {"times", 1 + d.IntN(12)}})
	case n < 74:
		return wire.with("content_type", one[any](d, "application/json", "text/html", "application/a2a+json; charset=utf-8", nil))
	case n < 78:
		return wire.with("content_length", one(d, 1, 9999))
	case n < 82 && body: // an early answer is not drawn: whether the request was read before the client left is a race
	case n < 86 && body:
		return wire.with("upload", object{{"bytes", 10 + d.IntN(100)}, {"every", d.between(50*time.Millisecond, time.Second)}})
	}
	return wire
}
