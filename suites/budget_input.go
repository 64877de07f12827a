package suites

import "github.com/a2a-conform/a2a-conform/evidence"

func bud15() Rule {
	return Rule{
		ID: "BUD-15", Level: Should, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "refuse a zero, negative, NaN or infinite timeout before any request",
		Cause:      "The timeout is not looked at before it reaches the HTTP library, where zero and NaN mean different things.",
		Right:      "timeout 0 ends at once with an error and without a request.",
		Wrong:      "timeout -1 resolves, sends, and waits without any limit.",
		Judge:      sending(refusesTimeout),
	}
}

func refusesTimeout(c *Call, j *Judgement) {
	given, ok := c.Input.Timeout.Get()
	if !ok || given.Usable() {
		return
	}
	for _, x := range c.Exchanges {
		if x.Op != evidence.OpWhoAmI {
			j.Fail("the call went on with timeout "+timeoutWords(given)+" and made a "+opWords(x.Op), "an error before any request", x)
			return
		}
	}
	if w, ok := c.connectingAt(nil, c.lasted()); ok && len(c.Exchanges) == 0 {
		j.Fail("the call went on with timeout "+timeoutWords(given)+" and asked for "+w.words(), "an error before any request")
		return
	}
	switch {
	case !c.Failed() || !c.unhindered():
		return
	case len(c.Maybe) > 0:
		j.Unclear("some request may belong to this call or to another", c.Maybe[0])
	default:
		j.Pass()
	}
}
