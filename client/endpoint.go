package client

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// endpoint is a base URL taken apart by cutting, never put together again from a
// parsed form: letter case and escapes of the prefix stay as they were given.
type endpoint struct {
	secure   bool
	host     string // without port and brackets, for the certificate
	header   string // as given, without credentials, for the Host line
	address  string // host:port, to dial
	prefix   string // of every target; "" or "/…" without a slash at its end
	userinfo bool   // credentials were given; they are never used
}

// parseEndpoint takes an absolute http or https URL with a host and neither
// query nor fragment. Its errors do not repeat the URL, which may hold
// credentials.
func parseEndpoint(raw string) (endpoint, error) {
	if raw == "" {
		return endpoint{}, errors.New("is missing")
	}
	if strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return endpoint{}, errors.New("contains white space or control characters")
	}
	parsed, err := url.Parse(raw)
	if err != nil {
		return endpoint{}, errors.New("is not a URL")
	}
	if parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Hostname() == "" {
		return endpoint{}, errors.New("is not an absolute http or https URL with a host")
	}
	if strings.ContainsAny(raw, "?#") {
		return endpoint{}, errors.New("carries a query or a fragment, to which no path can be joined")
	}

	_, rest, _ := strings.Cut(raw, "://")
	authority, path, _ := strings.Cut(rest, "/")
	header := authority[strings.LastIndexByte(authority, '@')+1:]
	if strings.ContainsFunc(header, func(r rune) bool { return r > '~' }) {
		return endpoint{}, errors.New("has a host that is not ASCII; give it in its xn-- form")
	}
	e := endpoint{
		secure:   parsed.Scheme == "https",
		host:     parsed.Hostname(),
		header:   header,
		prefix:   strings.TrimRight("/"+path, "/"),
		userinfo: header != authority,
	}
	port := parsed.Port()
	if port == "" {
		_, port = e.scheme()
	}
	e.address = net.JoinHostPort(e.host, port)
	return e, nil
}

// String is the URL without credentials and without a slash at its end.
func (e endpoint) String() string {
	name, _ := e.scheme()
	return name + "://" + e.header + e.prefix
}

// scheme is its name and its usual port.
func (e endpoint) scheme() (name, port string) {
	if e.secure {
		return "https", "443"
	}
	return "http", "80"
}
