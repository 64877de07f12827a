package suites

import (
	"slices"
	"strconv"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// firstRejection is the first of the call's own requests whose credentials the runtime rejected, nil where there was none.
func (c *Call) firstRejection() *Exchange {
	for _, x := range c.Rejections() {
		if x.Side() == evidence.SideRuntime {
			return x
		}
	}
	return nil
}

// refresh is what a call did after its first rejection.
type refresh struct {
	rejected *Exchange
	// resolves came after the head of the rejection had left.
	resolves []*Exchange
	// admitted is the first of them that admits and gives what a send needs.
	admitted *Exchange
	// send is the call's next request of its own after the rejection.
	send *Exchange
}

// refresh returns what the call did after its first rejection; ok is false where nothing of it was rejected.
func (c *Call) refresh() (refresh, bool) {
	r := refresh{rejected: c.firstRejection()}
	if r.rejected == nil {
		return refresh{}, false
	}
	for _, x := range c.Resolves {
		if x.Arrived < *r.rejected.HeadFrom {
			continue
		}
		r.resolves = append(r.resolves, x)
		if r.admitted == nil && x.Whole() && x.Access().Usable() {
			r.admitted = x
		}
	}
	for _, x := range c.Own {
		if r.send == nil && x.Seq > r.rejected.Seq {
			r.send = x
		}
	}
	return r, true
}

// resent returns the rejected send and the one that followed it.
func (c *Call) resent() (first, second *Exchange, ok bool) {
	r, ok := c.refresh()
	return r.rejected, r.send, ok && r.send != nil
}

// fresh is the newest answer to a resolve that came after the rejection, as it stood when the second send arrived.
func (r refresh) fresh() *Exchange {
	var newest *Exchange
	for _, x := range r.resolves {
		if x.Before(r.send) {
			newest = x
		}
	}
	return newest
}

// rejection names an exchange by the status that rejected it.
func (x *Exchange) rejection() string { return "the " + strconv.Itoa(x.Status()) }

// credential is what the request authorises itself with: the last word of its first Authorization line.
func (x *Exchange) credential() string {
	words := strings.Fields(x.Request.Header.Get("Authorization"))
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// credentialWords names the credential of a request; one that is no secret of the run is not repeated.
func (c *Call) credentialWords(x *Exchange) string {
	got := x.credential()
	switch {
	case got == "":
		return "no token"
	case slices.ContainsFunc(c.Run.Secrets, func(s evidence.Secret) bool { return s.Name == got }):
		return got
	default:
		return "something that is no token of the run"
	}
}

// gives tells whether the whole answer of a resolve hands out that credential.
func (x *Exchange) gives(credential string) bool {
	text, ok := x.Access().Token.Value.Text()
	return ok && text == credential && x.Whole()
}
