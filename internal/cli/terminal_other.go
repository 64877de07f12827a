//go:build !unix

package cli

import "os"

// terminalWidth knows no terminal here: reports have their usual width and no colours.
func terminalWidth(*os.File) (width int, ok bool) { return 0, false }
