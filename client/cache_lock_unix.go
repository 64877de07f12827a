//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package client

import (
	"errors"
	"os"
	"syscall"
)

// lockFile waits for the lock of a file, which ends with the file's closing. It
// returns without one where the file system knows none.
func lockFile(file *os.File) {
	for errors.Is(syscall.Flock(int(file.Fd()), syscall.LOCK_EX), syscall.EINTR) {
		continue // a signal that has nothing to do with it
	}
}
