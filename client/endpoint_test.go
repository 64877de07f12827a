package client

import "testing"

func TestParseEndpoint(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]endpoint{
		"http://h":                  {host: "h", header: "h", address: "h:80"},
		"http://h/":                 {host: "h", header: "h", address: "h:80"},
		"https://h///":              {secure: true, host: "h", header: "h", address: "h:443"},
		"HTTP://Host.Test:8080/A/b": {host: "Host.Test", header: "Host.Test:8080", address: "Host.Test:8080", prefix: "/A/b"},
		"http://h/a%2Fb/%7e/ü'\"<^": {host: "h", header: "h", address: "h:80", prefix: "/a%2Fb/%7e/ü'\"<^"},
		"http://h//x//y/":           {host: "h", header: "h", address: "h:80", prefix: "//x//y"},
		"http://u:p@h:1/x":          {host: "h", header: "h:1", address: "h:1", prefix: "/x", userinfo: true},
		"https://[::1]:8443/x":      {secure: true, host: "::1", header: "[::1]:8443", address: "[::1]:8443", prefix: "/x"},
		"http://[::1]":              {host: "::1", header: "[::1]", address: "[::1]:80"},
	} {
		if got, err := parseEndpoint(raw); err != nil || got != want {
			t.Errorf("%s: got %+v, %v; want %+v", raw, got, err, want)
		}
	}
	for _, raw := range []string{
		"", "h", "/x", "//h/x", "ftp://h", "http:", "http:h", "http:/h", "http://", "http://:80", "http:///x", "http://u@/x",
		"http://h/?", "http://h/?q=1", "http://h/#", "http://h#f", "http://h/a b", " http://h", "http://h\n", "http://h/\x7f",
		"http://h/%zz", "http://h:x/", "http://hö/",
	} {
		if got, err := parseEndpoint(raw); err == nil {
			t.Errorf("%q was taken: %+v", raw, got)
		}
	}
}

func TestEndpointString(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://u:p@H:1/x/": "https://H:1/x",
		"http://h/":          "http://h",
	} {
		e, err := parseEndpoint(raw)
		if err != nil || e.String() != want {
			t.Errorf("%s: got %s, %v", raw, e, err)
		}
	}
}
