package suites

import (
	"github.com/a2a-conform/a2a-conform/evidence"
)

// requestRules are the rules of this chapter: what a client sends, to whom, and on whose authority.
func requestRules() []Rule {
	return []Rule{
		req01(), req02(), req03(), req04(), req05(), req06(), req07(), req08(), req09(), req10(), req11(), req12(), req13(), req14(),
		req15(), req16(), req17(), req18(), req19(), req20(), req21(), req22(), req23(), req24(), req25(), req26(), req27(),
	}
}

// eachSend judges every send of a send call.
func eachSend(judge func(c *Call, x *Exchange, j *Judgement)) func(c *Call, j *Judgement) {
	return func(c *Call, j *Judgement) {
		if c.Op != evidence.CallSend {
			return
		}
		for _, x := range c.Sends {
			judge(c, x, j)
		}
	}
}

// eachBody judges the body of every send that arrived to its end. A body that the client gave up half-way, or that a
// server did not read on, says nothing of what the whole would have been.
func eachBody(judge func(c *Call, x *Exchange, j *Judgement)) func(c *Call, j *Judgement) {
	return eachSend(func(c *Call, x *Exchange, j *Judgement) {
		if x.BodyRead == nil || x.Request.BodyError != "" {
			return
		}
		if coding := x.Request.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
			j.Unclear("the body is written in the content coding "+quote(coding)+", which is not read here", x)
			return
		}
		judge(c, x, j)
	})
}

// requests returns what the call asked of any server. The sign-in check that a command makes first, and the renewal
// that may go with it, are not counted.
func (c *Call) requests() []*Exchange {
	var out []*Exchange
	for _, x := range c.Exchanges {
		signIn := x.Op == evidence.OpWhoAmI || x.Op == evidence.OpRenewToken
		if signIn && c.byCommand() {
			continue
		}
		out = append(out, x)
	}
	return out
}

// byCommand tells whether the call was made by a command.
func (c *Call) byCommand() bool { return c.Command != nil || c.Run.Subject.Command }

// strict tells whether the caller asked for a strict dictionary.
func (c *Call) strict() bool { return c.Input.StrictDictionary.Or(false) }

// at names a request of the call's own in a sentence: "the send", or "the second send" where the call made several.
func (c *Call) at(x *Exchange) string {
	what := opWords(c.resultOp())
	for i, s := range c.Own {
		if s == x && len(c.Own) > 1 {
			return "the " + ordinal(i+1) + " " + what
		}
	}
	return "the " + what
}
