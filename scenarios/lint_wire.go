package scenarios

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// wire refuses combinations in which one part takes away what another is about.
func (l lint) wire(op evidence.Op, step Step, n *node) {
	w, wire := step.Wire, n.get("wire")
	if wire == nil {
		return
	}
	for _, rule := range wireRules(op, step.Reply, w) {
		if rule.broken && wire.get(rule.member) != nil {
			l.c.addf(wire.keyPlace(rule.member), "%s", rule.why)
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
	rules := append(uploadRules(op, w), cutRules(w)...)
	if reply.Bytes != nil {
		rules = append(rules, bytesRules(w)...)
	}
	return rules
}

func uploadRules(op evidence.Op, w Wire) []wireRule {
	get := slices.Contains([]evidence.Op{evidence.OpGetTask, evidence.OpGetSession, evidence.OpGetAgent, evidence.OpWhoAmI}, op)
	return []wireRule{
		{"early", w.Early && w.Upload != nil, "early answers before the request's body is read and upload reads it slowly: take one of the two"},
		{"upload", w.Upload != nil && get, string(op) + " is a GET: there is no body to read slowly"},
		{"early", w.Early && get, string(op) + " is a GET: there is no body that could be left unread"},
	}
}

func cutRules(w Wire) []wireRule {
	if w.Cut == nil {
		return nil
	}
	nothing := w.Cut.After == "request"
	headless := nothing || w.Cut.After == "status-line"
	bodiless := headless || w.Cut.After == "headers"
	return []wireRule{
		{"finish", w.Finish != "", "finish ends a whole answer and cut ends it before: take one of the two"},
		{"head_after", nothing && w.Cut.How == "hang", "an answer that hangs after the request has no head to hold back"},
		{"pace", nothing, "an answer that is cut after the request has nothing to send in pieces"},
		{"pace", bodiless && w.Pace != nil && !w.Pace.Head, "an answer that is cut before its body has nothing to send in pieces: add head: true"},
		{"gzip", bodiless, "an answer that is cut before its body has none to compress"},
		{"content_type", headless, "an answer that is cut before its headers has no content type"},
		{"content_length", headless, "an answer that is cut before its headers announces no length"},
	}
}

// bytesRules are for an answer that is written as it is, head included.
func bytesRules(w Wire) []wireRule {
	inside := w.Cut != nil && (w.Cut.After == "status-line" || w.Cut.After == "headers")
	return []wireRule{
		{"cut", inside, "of bytes a server does not know where the head ends: cut after a number of bytes"},
		{"gzip", true, "bytes go out as they are: compress them yourself"},
		{"content_type", true, "bytes have their own head: write the content type there"},
		{"content_length", true, "bytes have their own head: write the length there"},
		{"informational", true, "bytes have their own head: write the informational answers there"},
	}
}
