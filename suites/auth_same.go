package suites

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func auth03() Rule {
	return Rule{
		ID: "AUTH-03", Level: Must, Sides: []Side{Client}, Section: "Decision 5",
		Obligation: "send the second body byte for byte the same",
		Cause:      "The body is a stream that the first try consumed, or it is serialised again for the second try.",
		Right:      "Both sends carry the same 231 bytes.",
		Wrong:      "The second send has an empty body, or the same members in another order.",
		Judge:      sending(sameBody),
	}
}

func sameBody(c *Call, j *Judgement) {
	first, second, ok := c.resent()
	if !ok {
		return
	}
	a, b := first.Request.Body, second.Request.Body
	at := 0
	for at < min(len(a.Bytes), len(b.Bytes)) && a.Bytes[at] == b.Bytes[at] {
		at++
	}
	whole := first.BodyRead != nil && second.BodyRead != nil
	switch {
	case !whole && at == min(len(a.Bytes), len(b.Bytes)):
		return // what was received is the same, and the server did not read on
	case a.Size == b.Size && bytes.Equal(a.Bytes, b.Bytes):
		j.Pass()
		return
	}
	j.Fail(fmt.Sprintf("the second send has %d bytes in its body, the first had %d; they differ from byte %d on: %s in place of %s",
		b.Size, a.Size, at+1, from(b, at), from(a, at)),
		fmt.Sprintf("the same %d bytes again", a.Size), first, second)
}

// from shows what a body has from an offset on.
func from(body evidence.Body, at int) string {
	const few = 24
	rest := body.Bytes[at:]
	if len(rest) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%q", rest[:min(few, len(rest))])
}

func auth04() Rule {
	return Rule{
		ID: "AUTH-04", Level: Must, Sides: []Side{Client}, Section: "Decision 5",
		Obligation: "keep the messageId in the second send",
		Cause:      "The id is made where the request is built, and the request is built again for the second try.",
		Right:      "Both sends carry the same messageId.",
		Wrong:      "The second send carries a new messageId.",
		Judge: sending(func(c *Call, j *Judgement) {
			first, second, ok := c.resent()
			if !ok || first.Body().MessageID == nil || second.BodyRead == nil {
				return
			}
			j.Hold(evidence.Equal(first.Body().MessageID, second.Body().MessageID),
				"the messageId of the second send is "+said(second.Body().MessageID)+", that of the first "+said(first.Body().MessageID),
				"the messageId of the first send", first, second)
		}),
	}
}

func auth05() Rule {
	return Rule{
		ID: "AUTH-05", Level: Must, Sides: []Side{Client}, Section: "Decision 5",
		Obligation: "use the fresh token in the second send",
		Cause:      "The headers of the first try are kept for the second, or the cache gives the rejected access out again.",
		Right:      "The second send carries the token of the resolve that followed the rejection.",
		Wrong:      "The second send carries the token that was rejected.",
		Judge:      sending(freshToken),
	}
}

func freshToken(c *Call, j *Judgement) {
	r, ok := c.refresh()
	if !ok || r.send == nil {
		return
	}
	fresh := r.fresh()
	switch {
	case fresh == nil && c.Ambiguous(evidence.OpResolveAccess):
		j.Unclear("the resolve before the second send may belong to this call or to another", r.send)
	case fresh == nil:
		j.Fail("the second send carries "+c.credentialWords(r.send)+", and no fresh access was resolved before it",
			"the token of a resolve that follows the rejection", r.rejected, r.send)
	case !fresh.Access().Usable():
		return
	default:
		want, _ := fresh.Access().Token.Value.Text()
		j.Hold(r.send.credential() == want, "the second send carries "+c.credentialWords(r.send)+", not the token of the fresh answer",
			"the token that the fresh answer gives", r.rejected, fresh, r.send)
	}
}

func auth06() Rule {
	return Rule{
		ID: "AUTH-06", Level: Must, Sides: []Side{Client}, Section: "Decision 5",
		Obligation: "send again to the fresh rpc_url, if it moved",
		Cause:      "Only the token of the fresh answer is taken over; the URL of the first try is kept.",
		Right:      "The fresh answer names another server, and the second send goes there.",
		Wrong:      "The fresh answer names another server, and the second send goes to the old one.",
		Judge:      sending(freshAddress),
	}
}

func freshAddress(c *Call, j *Judgement) {
	r, ok := c.refresh()
	if !ok || r.send == nil || r.fresh() == nil || !r.fresh().Access().Usable() {
		return
	}
	to := addressOf(r.fresh().Access().RPCURL.Text)
	arrived := func(x *Exchange) bool { return x.Origin() == to.origin && x.path() == to.path+sendPath }
	if to.odd != "" || arrived(r.rejected) {
		return
	}
	j.Hold(arrived(r.send), "the second send went to "+r.send.place()+", though the fresh answer gives another rpc_url",
		"the second send at the rpc_url of the fresh answer", r.rejected, r.fresh(), r.send)
}

func auth10() Rule {
	return Rule{
		ID: "AUTH-10", Level: Should, Sides: []Side{Client}, Section: "Decision 5",
		Obligation: "repeat Content-Type, Accept, A2A-Extensions and Content-Encoding in the second send",
		Cause:      "The headers are set by the code of the first try and not by what builds the request.",
		Right:      "Both sends carry the same four headers.",
		Wrong:      "The second send has lost its A2A-Extensions.",
		Judge: sending(func(c *Call, j *Judgement) {
			first, second, ok := c.resent()
			if !ok {
				return
			}
			var lost []string
			for _, name := range []string{"Content-Type", "Accept", "A2A-Extensions", "Content-Encoding"} {
				if !slices.Equal(headerWords(first, name), headerWords(second, name)) {
					lost = append(lost, name)
				}
			}
			j.Hold(len(lost) == 0, "the second send has another "+strings.Join(lost, ", ")+" than the first", "the same headers again", first, second)
		}),
	}
}

// headerWords are the elements of a header in a fixed order: a list may come in one line or in several.
func headerWords(x *Exchange, name string) []string {
	var words []string
	for _, line := range x.Request.Header.Values(name) {
		for word := range strings.SplitSeq(line, ",") {
			words = append(words, strings.ToLower(strings.TrimSpace(word)))
		}
	}
	slices.Sort(words)
	return words
}
