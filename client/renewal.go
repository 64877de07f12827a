package client

import (
	"bytes"
	"encoding/base64"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// renewalSkew is how close to its end a platform token may be and still be used
// without being renewed first.
const renewalSkew = time.Minute

// credentials are the platform's tokens, which all calls of a Client share.
type credentials struct {
	// renewing holds an element while a call renews. It is a channel so that a
	// call that waits for another's renewal still ends with its own budget.
	renewing chan struct{}

	mu              sync.Mutex
	access, refresh string
}

func newCredentials(access, refresh string) *credentials {
	return &credentials{renewing: make(chan struct{}, 1), access: access, refresh: refresh}
}

func (c *credentials) tokens() (access, refresh string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.access, c.refresh
}

// replace takes what a renewal brought; an empty refresh token leaves the old
// one.
func (c *credentials) replace(access, refresh string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.access = access
	if refresh != "" {
		c.refresh = refresh
	}
}

func (c *call) mayRenew() bool {
	_, refresh := c.client.credentials.tokens()
	return refresh != "" && !c.renewed
}

// renewEarly renews a token that is about to end. When that fails, the token is
// used as it is: it may still be good.
func (c *call) renewEarly() error {
	token, _ := c.client.credentials.tokens()
	expiry, known := readTokenExpiry(token)
	if !known || time.Until(expiry) > renewalSkew || !c.mayRenew() {
		return nil
	}
	if err := c.renew(token); err != nil && endsCall(err) {
		return err
	}
	return nil
}

// renew replaces the platform token, unless another call has replaced it since
// it was used: a refresh token may be good for one renewal only.
func (c *call) renew(used string) error {
	c.renewed = true
	shared := c.client.credentials
	select {
	case shared.renewing <- struct{}{}:
		defer func() { <-shared.renewing }()
	case <-c.budget.ctx.Done():
		return c.budget.over()
	}
	access, refresh := shared.tokens()
	if access != used {
		return nil
	}
	c.remember(access, refresh)
	access, refresh, err := c.askForToken(refresh)
	if err != nil {
		return err
	}
	c.remember(access, refresh)
	shared.replace(access, refresh)
	return nil
}

// askForToken makes the request. It goes without the token that is to be
// replaced.
func (c *call) askForToken(refresh string) (newAccess, newRefresh string, err error) {
	body := bytes.NewBufferString(`{"refresh":`)
	writeText(body, refresh)
	body.WriteString(`}`)
	answer, status, err := c.exchangeWithPlatform(exchange{
		method: http.MethodPost,
		path:   "/auth/jwt-token/token/refresh/",
		fields: []string{"Content-Type: application/json", "Accept: application/json"},
		body:   body.Bytes(),
	})
	if err != nil {
		return "", "", err
	}
	document, err := readDocument(answer)
	if err != nil {
		return "", "", &InvalidResponseError{Server: serverPlatform, Status: status, Problems: problems{"its body " + err.Error()}}
	}
	newAccess, _ = document.text("access")
	if !usableToken(newAccess) {
		// Its value is not shown, since it may be a token all the same.
		return "", "", &InvalidResponseError{Server: serverPlatform, Status: status, Problems: problems{"access is absent or cannot be used"}}
	}
	if newRefresh, _ = document.text("refresh"); !usableToken(newRefresh) {
		newRefresh = ""
	}
	return newAccess, newRefresh, nil
}

// readTokenExpiry reads when a JWT ends. Any other token is opaque and says
// nothing about it.
func readTokenExpiry(token string) (time.Time, bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return time.Time{}, false
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	if err != nil {
		return time.Time{}, false
	}
	claims, err := readDocument(payload)
	if err != nil {
		return time.Time{}, false
	}
	const latest = 1 << 53 // beyond it, seconds are no longer exact, and nobody waits for them
	seconds, err := strconv.ParseFloat(string(claims["exp"]), 64)
	if err != nil || !(math.Abs(seconds) < latest) {
		return time.Time{}, false
	}
	return time.Unix(int64(seconds), 0), true
}
