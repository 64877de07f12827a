package wire

import (
	"bytes"
	"errors"
	"net"
	"strings"
	"testing"
)

// fakeConn is a connection that notes how it was ended.
type fakeConn struct {
	net.Conn
	ended string
}

func (c *fakeConn) Close() error {
	c.ended += "closed"
	return nil
}

type lingering struct {
	fakeConn
	fails bool
}

func (c *lingering) SetLinger(sec int) error {
	if c.fails {
		return errors.New("no linger")
	}
	if sec == 0 {
		c.ended += "no linger, "
	}
	return nil
}

type wrapping struct {
	fakeConn
	inner net.Conn
}

func (c *wrapping) NetConn() net.Conn { return c.inner }

func TestReset(t *testing.T) {
	t.Parallel()
	plain, tcp, stubborn := &fakeConn{}, &lingering{}, &lingering{fails: true}
	inner := &lingering{}
	wrapped, empty := &wrapping{inner: inner}, &wrapping{}
	for _, c := range []net.Conn{plain, tcp, wrapped, empty} {
		if err := reset(c); err != nil {
			t.Error(err)
		}
	}
	if err := reset(stubborn); err == nil {
		t.Error("a linger that cannot be set was not told")
	}
	if plain.ended != "closed" || tcp.ended != "no linger, closed" || empty.ended != "closed" {
		t.Errorf("ended %q, %q, %q", plain.ended, tcp.ended, empty.ended)
	}
	if wrapped.ended != "closed" || inner.ended != "no linger, " {
		t.Errorf("the wrapper ended %q, what it wraps %q", wrapped.ended, inner.ended)
	}
}

func TestUnzippedPrefix(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte("teal and dunlin "), 4000)
	coded := zipped(body)
	for n := range len(coded) + 1 {
		if got := unzipped(coded[:n]); !bytes.HasPrefix(body, got) || n == len(coded) && len(got) != len(body) {
			t.Fatalf("%d bytes of %d gave %d bytes", n, len(coded), len(got))
		}
	}
	if got := unzipped([]byte("not coded")); string(got) != "not coded" {
		t.Errorf("got %q", got)
	}
}

func TestBodyWithoutEnd(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 4, 5} {
		body, err := readBody(strings.NewReader("dunlin"[:n]), int64(n), 4)
		if (err != nil) != (n > 4) || len(body) != min(n, 4) {
			t.Errorf("of %d bytes read %q, %v", n, body, err)
		}
	}
}
