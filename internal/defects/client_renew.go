package defects

import (
	"net/http"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// ask makes a request of the platform, and once more where its token had to be renewed.
func (c *call) ask(ready func() request) (reply, *failure) {
	if c.has("renews-before-it-asks") {
		if _, err := c.renew(); err != nil {
			return reply{}, err
		}
	}
	r, err := c.exchange(ready())
	if err != nil || r.status != http.StatusUnauthorized {
		return r, err
	}
	renewed, err := c.renew()
	if err != nil || !renewed {
		return r, err
	}
	return c.exchange(ready())
}

// renew renews the platform token, once in a call and where there is something to renew it with. Its failure is one
// that ends the call.
func (c *call) renew() (bool, *failure) {
	refresh := c.platform.RefreshToken
	if refresh == "" || c.has("never-renews") {
		return false, nil
	}
	c.platform.RefreshToken = ""
	r, err := c.exchange(request{
		op: evidence.OpRenewToken, target: c.platform.URL + "/auth/jwt-token/token/refresh/", body: encoded(map[string]string{"refresh": refresh}),
		header: http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}},
	})
	if err == nil {
		err = r.cut
	}
	answer, _ := objectOf(r.body)
	fresh, ok := textOf(answer["access"])
	if err != nil || r.status != http.StatusOK || !ok || !usable(fresh) {
		return false, err
	}
	c.platform.Token = fresh
	return true, nil
}
