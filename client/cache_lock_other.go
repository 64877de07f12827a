//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package client

import (
	"errors"
	"os"
)

// tryLock answers that there are no locks here: the standard library offers none.
// The file stays whole all the same. Of two commands that write it in the same
// millisecond one may lose its entry, which costs it one question to the platform.
func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
