//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package client

import "os"

// lockFile does nothing: the standard library offers no lock here. The file
// stays whole all the same. Of two commands that write it in the same
// millisecond one may lose its entry, which costs it one question to the platform.
func lockFile(*os.File) {}
