//go:build !linux

package runner

import (
	"errors"
	"net"
)

// canHang tells whether a server can let connections hang: other systems accept or refuse what their queue has no room
// for.
const canHang = false

func acceptNone(net.Listener) error {
	return errors.New("this system cannot let connections hang")
}
