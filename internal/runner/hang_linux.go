package runner

import (
	"fmt"
	"net"
	"syscall"
)

// canHang tells whether a server can let connections hang.
const canHang = true

// acceptNone leaves a listener room for a single connection that nobody has accepted. Linux lets any further one wait,
// as if its packets were lost.
func acceptNone(l net.Listener) error {
	tcp, ok := l.(*net.TCPListener)
	if !ok {
		return fmt.Errorf("a %T is no TCP listener", l)
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = syscall.Listen(int(fd), 0) })
	if err != nil {
		return err
	}
	return failed
}
