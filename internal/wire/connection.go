package wire

import (
	"context"
	"net"
)

type connectionKey struct{}

// WithConnection remembers the number of the connection that a request came over: for ConnContext of an http.Server.
func WithConnection(ctx context.Context, number int) context.Context {
	return context.WithValue(ctx, connectionKey{}, number)
}

// Connection returns the number of the connection that a request came over, 0 where nobody gave it one.
func Connection(ctx context.Context) int {
	number, _ := ctx.Value(connectionKey{}).(int)
	return number
}

// reset ends a connection so that the peer sees ECONNRESET. A connection in memory does it itself; TCP does it when
// it is closed with a linger of zero. Wrapped connections are unwrapped for that.
func reset(conn net.Conn) error {
	for inner := conn; inner != nil; {
		switch c := inner.(type) {
		case interface{ Reset() error }:
			return c.Reset()
		case interface{ SetLinger(sec int) error }:
			if err := c.SetLinger(0); err != nil {
				return err
			}
			return conn.Close()
		case interface{ NetConn() net.Conn }:
			inner = c.NetConn()
		default:
			return conn.Close()
		}
	}
	return conn.Close()
}

// peerClosed returns the channel that a connection closes when its client has gone, nil (which is never ready) where
// it has none.
func peerClosed(conn net.Conn) <-chan struct{} {
	if c, ok := conn.(interface{ PeerClosed() <-chan struct{} }); ok {
		return c.PeerClosed()
	}
	return nil
}
