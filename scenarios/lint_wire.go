package scenarios

import "github.com/a2a-conform/a2a-conform/evidence"

// wire refuses combinations in which one part takes away what another is about.
func (l lint) wire(op evidence.Op, step Step, n *node) {
	w, wire := step.Wire, n.get("wire")
	if wire == nil {
		return
	}
	for _, rule := range wireRules(op, step.Reply, w) {
		if rule.broken && wire.get(rule.member) != nil {
			l.c.add(wire.keyPlace(rule.member), "%s", rule.why)
		}
	}
}

// wireRule is a combination that makes no sense, and the member at which it is reported.
type wireRule struct {
	member string
	broken bool
	why    string
}

func wireRules(op evidence.Op, reply Reply, w Wire) []wireRule {
	cut := ""
	if w.Cut != nil {
		cut = w.Cut.After
	}
	headless := cut == "request" || cut == "status-line"
	bodiless := headless || cut == "headers"
	noUpload := op == evidence.OpGetTask || op == evidence.OpGetSession || op == evidence.OpGetAgent || op == evidence.OpWhoAmI
	return []wireRule{
		{"early", w.Early && w.Upload != nil, "early answers before the request's body is read and upload reads it slowly: take one of the two"},
		{"upload", w.Upload != nil && noUpload, string(op) + " is a GET: there is no body to read slowly"},
		{"early", w.Early && noUpload, string(op) + " is a GET: there is no body that could be left unread"},
		{"finish", w.Finish != "" && w.Cut != nil, "finish ends a whole answer and cut ends it before: take one of the two"},
		{"head_after", w.HeadAfter > 0 && cut == "request" && w.Cut.How == "hang", "an answer that hangs after the request has no head to hold back"},
		{"pace", w.Pace != nil && cut == "request", "an answer that is cut after the request has nothing to send in pieces"},
		{"pace", w.Pace != nil && bodiless && cut != "request" && !w.Pace.Head, "an answer that is cut before its body has nothing to send in pieces: add head: true"},
		{"gzip", w.Gzip && bodiless, "an answer that is cut before its body has none to compress"},
		{"content_type", !w.ContentType.IsZero() && headless, "an answer that is cut before its headers has no content type"},
		{"content_length", !w.ContentLength.IsZero() && headless, "an answer that is cut before its headers announces no length"},
		{"cut", reply.Bytes != nil && cut != "" && cut != "request", "of bytes a server does not know where the head ends: cut after a number of bytes"},
		{"gzip", reply.Bytes != nil && w.Gzip, "bytes go out as they are: compress them yourself"},
		{"content_type", reply.Bytes != nil && !w.ContentType.IsZero(), "bytes have their own head: write the content type there"},
		{"content_length", reply.Bytes != nil && !w.ContentLength.IsZero(), "bytes have their own head: write the length there"},
		{"informational", reply.Bytes != nil && w.Informational != nil, "bytes have their own head: write the informational answers there"},
	}
}
