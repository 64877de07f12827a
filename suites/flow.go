package suites

import "github.com/a2a-conform/a2a-conform/evidence"

// flowRules are the rules about admission and waiting. FLOW-01, 15, 16 and 19 stand in flow_routes.go, those about
// sending in flow_send.go, about waiting in flow_wait.go, about a budget that is too short in flow_fit.go, about
// stopping in flow_stop.go, about answers that nothing can rest on in flow_broken.go, and what is only noted in
// flow_note.go.
//
// Several rules forbid requests and also want an error in the end. They see the whole of a call, and judge its end only
// where it ended by itself (see ended): after a request that no script foresaw nothing is asked of a client any more.
func flowRules() []Rule {
	return []Rule{
		flow01(), flow02(), flow03(), flow04(), flow05(), flow06(), flow07(), flow08(), flow09(), flow10(),
		flow11(), flow12(), flow13(), flow14(), flow15(), flow16(), flow17(), flow18(), flow19(), flow20(),
		flow21(), flow22(), flow23(), flow24(), flow25(), flow26(), flow27(), flow28(), flow29(), flow30(),
	}
}

// direct judges direct Messages only.
func direct(judge func(c *Call, j *Judgement)) func(c *Call, j *Judgement) {
	return func(c *Call, j *Judgement) {
		if c.Message() {
			judge(c, j)
		}
	}
}

// sending judges sends of either response kind.
func sending(judge func(c *Call, j *Judgement)) func(c *Call, j *Judgement) {
	return func(c *Call, j *Judgement) {
		if c.Message() || c.Task() {
			judge(c, j)
		}
	}
}

// budgeted judges what has one total budget: sends of either response kind, get and cancel (ADR, Timeouts).
func budgeted(judge func(c *Call, j *Judgement)) func(c *Call, j *Judgement) {
	return func(c *Call, j *Judgement) {
		if c.Message() || c.Task() || c.Op == evidence.CallGetTask || c.Op == evidence.CallCancelTask {
			judge(c, j)
		}
	}
}
